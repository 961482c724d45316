import { afterEach, describe, expect, test } from 'vitest';
import { CLOSE } from '#protocol/worker/close-codes.ts';
import {
  ACCOUNT,
  request,
  startControlPlane,
  type ControlPlane,
} from '../support/fleet/control-plane.ts';

/** A control plane that speaks versions 2 and 3. */
const OURS = { oldest: 2, newest: 3 };

let plane: ControlPlane;
afterEach(() => plane.close());

describe('a gateway', () => {
  test.each([
    ['of the version before, which knows no range', { protocol: 2 }, 2],
    ['of its own version', { protocol: 2, newestProtocol: 3 }, 3],
    ['of the next version', { protocol: 3, newestProtocol: 4 }, 3],
  ])('serves a worker %s', async (_which, versions, agreed) => {
    plane = await startControlPlane({ protocols: OURS });
    const worker = await plane.worker(versions).join();

    const { session } = await plane.creation.open(ACCOUNT, request());

    const { placement } = await worker.next('assign');
    await worker.started(placement);
    const record = await plane.records.find(ACCOUNT.id, session.id);
    expect(record?.status).toBe('ongoing');
    expect(worker.messages[0]).toMatchObject({ type: 'registered', protocol: agreed });
  });

  test.each([
    ['two versions older', { protocol: 1 }],
    ['two versions newer', { protocol: 4, newestProtocol: 5 }],
  ])('refuses a worker that is %s for good', async (_which, versions) => {
    plane = await startControlPlane({ protocols: OURS });
    const worker = plane.worker(versions);

    await worker.connect();
    worker.register();

    expect(await worker.closed()).toBe(CLOSE.wrong_protocol.code);
  });
});
