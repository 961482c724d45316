import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CLOSE } from '#protocol/worker/close-codes.ts';
import { overflowWorkerId } from '#protocol/worker/worker-id.ts';
import {
  ACCOUNT,
  request,
  startControlPlane,
  WORKER_TOKEN,
  type ControlPlane,
} from '../support/fleet/control-plane.ts';
import type { SimulatedWorkerOptions } from '../support/simulated-worker.ts';

let plane: ControlPlane;
beforeEach(async () => {
  plane = await startControlPlane();
});
afterEach(() => plane.close());

const tokenFor = async (limits: { kind?: 'avatar' | 'agent'; pool?: string } = {}) =>
  (await plane.workerTokens.make('rack 7', limits)).text;

/** Registers and returns the close code of the refusal. */
async function refusal(options: Partial<SimulatedWorkerOptions>): Promise<number> {
  const worker = plane.worker(options);
  await worker.connect();
  worker.register();
  return worker.closed();
}

const REFUSED = CLOSE.wrong_token.code;

describe('the registration of a worker', () => {
  test('is refused under the id of another worker, with the same token', async () => {
    const victim = await plane.worker().join();
    const { session } = await plane.creation.open(ACCOUNT, request());
    const { placement } = await victim.next('assign');
    const { workerId } = victim;

    expect(await refusal({ workerId })).toBe(REFUSED);
    expect(await refusal({ workerId, secret: 'a guess' })).toBe(REFUSED);

    await victim.started(placement);
    expect(victim.isConnected).toBe(true);
    expect(await plane.records.find(ACCOUNT.id, session.id)).toMatchObject({
      status: 'ongoing',
      workerId,
      epoch: 1,
    });
  });

  test('is refused under the id of a worker that is away, or never came', async () => {
    const victim = await plane.worker().join();
    const { workerId } = victim;
    const absent = plane.worker().workerId;
    victim.loseConnection();

    expect(await refusal({ workerId, secret: 'a guess' })).toBe(REFUSED);
    expect(await refusal({ workerId: absent })).toBe(REFUSED);
    expect(await refusal({ workerId: overflowWorkerId('default') })).toBe(REFUSED);

    await victim.join();
    expect(victim.isConnected).toBe(true);
  });

  test('is refused with another token than the one that the id was made with', async () => {
    const { workerId, secret } = await plane.worker().join();

    expect(await refusal({ workerId, secret: secret!, token: await tokenFor() })).toBe(REFUSED);
  });

  test('is refused as another kind than the one that the id was made for', async () => {
    const { workerId, secret } = plane.worker({ kind: 'agent' });

    expect(await refusal({ workerId, secret: secret!, kind: 'avatar' })).toBe(REFUSED);
  });

  test.each([
    { limits: { pool: 'gpu' }, given: {} },
    { limits: { pool: 'gpu' }, given: { pool: 'default' } },
    { limits: { kind: 'avatar' }, given: { kind: 'agent' } },
    { limits: { kind: 'agent', pool: 'gpu' }, given: { kind: 'avatar', pool: 'gpu' } },
  ] as const)('is refused with a token for $limits as $given', async ({ limits, given }) => {
    const token = await tokenFor(limits);

    expect(await refusal({ token, ...given })).toBe(REFUSED);
    const fitting = await plane.worker({ token, ...limits }).join();
    expect(fitting.isConnected).toBe(true);
  });

  test('of an older worker, whose id proves nothing, stays with its token', async () => {
    const older = await plane.worker({ workerId: 'avatar-123456789012' }).join();
    const { workerId } = older;

    expect(await refusal({ workerId, token: await tokenFor() })).toBe(REFUSED);
    older.loseConnection();
    expect(await refusal({ workerId, token: await tokenFor() })).toBe(REFUSED);

    await older.join();
    const returningWorker = await plane.worker({ workerId, token: WORKER_TOKEN }).join();
    expect(returningWorker.isConnected).toBe(true);
  });
});
