/*
 * Sessions in one seat of a room, created at different control planes. The worker is connected to
 * one of them.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_KEY, NORA, roomToken, WORKER_TOKEN } from '../../support/api/build-app.ts';
import {
  startTwoControlPlanes,
  type TwoControlPlanes,
} from '../../support/fleet/two-control-planes.ts';
import type { ControlProcess } from '../../support/processes/control-process.ts';
import { hasRedis } from '../../support/records/redis.ts';
import { SimulatedWorker } from '../../support/simulated-worker.ts';

// Needs redis-server on the PATH; test/support/records/redis.ts says so.
describe.skipIf(!hasRedis)('a session in the seat of another control plane', () => {
  let two: TwoControlPlanes;
  let worker: SimulatedWorker;
  beforeAll(async () => {
    two = await startTwoControlPlanes();
    const { url } = two.planes[1];
    const slots = 16;
    worker = await new SimulatedWorker({ url, token: WORKER_TOKEN, avatars: [NORA], slots }).join();
  });
  afterAll(async () => {
    await worker?.close();
    await two?.close();
  });

  let tokens = 0;

  /** Every token is another one, as those of a client that creates a session again. */
  async function open({ url }: ControlProcess, identity: string) {
    const exp = Math.floor(Date.now() / 1000) + 3_600;
    const token = await roomToken(undefined, { exp, sub: identity, jti: `${(tokens += 1)}` });
    const response = await fetch(`${url}/v1/sessions`, {
      method: 'POST',
      headers: { 'x-api-key': API_KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ avatar_id: NORA, url: 'wss://media.example', token }),
    });
    expect(response.status).toBe(201);
    return worker.next('assign');
  }

  /** 1.5 s of a segment were heard, nothing of the next one. Resolves when the owner knows. */
  async function speaks({ placement }: Awaited<ReturnType<typeof open>>): Promise<void> {
    worker.say({ type: 'speech', placement, open: [1.5, 0] });
    await worker.started(placement);
  }

  test.each([
    ['where no worker is', 0, 1],
    ['where the worker is', 1, 0],
  ] as const)('answers for the speech of a session created %s', async (_, first, second) => {
    const identity = `avatar-${first}`;
    await speaks(await open(two.planes[first], identity));

    const { unanswered } = await open(two.planes[second], identity);

    expect(unanswered).toEqual([1.5, 0]);
  });

  test('answers for the newest of several sessions', async () => {
    const [plane, otherPlane] = two.planes;
    await speaks(await open(plane, 'avatar-3'));
    const { placement } = await open(otherPlane, 'avatar-3');
    worker.say({ type: 'speech', placement, open: [0.25] });
    await worker.started(placement);

    expect((await open(plane, 'avatar-3')).unanswered).toEqual([0.25]);
  });

  test('answers for nothing in another seat', async () => {
    await speaks(await open(two.planes[0], 'avatar-4'));

    expect((await open(two.planes[1], 'avatar-5')).unanswered).toBeUndefined();
  });
});
