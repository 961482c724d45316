import { expect, test } from 'vitest';
import type { Fleet, Lease } from '../../src/fleet/fleet.ts';
import { FakeConnection, type Answer } from '../support/fleet/fake-connection.ts';
import { job, reserve, requirements } from '../support/fleet/fleet-requests.ts';
import type { TestClock } from '../support/test-clock.ts';
import { until } from '../support/until.ts';

/** Which slots are offered to which sessions, and the refusal if there is none. */
export function offersContract(open: () => Promise<{ fleet: Fleet; clock: TestClock }>) {
  test('gives conversations slots of agent workers only, and counts each kind separately', async () => {
    const { fleet } = await open();
    const talk = { ...requirements, kind: 'agent' as const };
    const now = { account: 'account-1', waitMs: 0 };
    await fleet.join(new FakeConnection('face', 2));
    expect(await fleet.reserve({ sessionId: 'talk-1', epoch: 1 }, talk, now)).toBeNull();
    expect(await fleet.refusal(talk)).toBe('no_agent_worker');
    const waiting = fleet.reserve({ sessionId: 'talk-2', epoch: 1 }, talk, {
      ...now,
      waitMs: 2_000,
      isUrgent: true,
    });
    await until(async () => (await fleet.counts('agent')).waiting === 1);

    await fleet.join(new FakeConnection('agent', 3, 'default', 'agent'));

    expect(await waiting).toMatchObject({ workerId: 'agent' });
    expect(await reserve(fleet, 'session-1')).toMatchObject({ workerId: 'face' });
    expect(await fleet.counts()).toMatchObject({ workers: 1, slots: 2, free: 1, waiting: 0 });
    expect(await fleet.counts('agent')).toMatchObject({
      workers: 1,
      slots: 3,
      free: 2,
      waiting: 0,
    });
    await fleet.close();
  });

  test('counts each pool that has workers or waiting requests', async () => {
    const { fleet, clock } = await open();
    const gpu = new FakeConnection('worker-b', 4, 'big gpu');
    await fleet.join(new FakeConnection('worker-a', 2));
    await fleet.join(gpu);
    await reserve(fleet, 'session-1');
    const waiting = fleet.reserve(
      { sessionId: 'session-2', epoch: 1 },
      { ...requirements, pool: 'none yet' },
      { account: 'account-1', waitMs: 2_000, isUrgent: true },
    );
    await until(async () => (await fleet.counts()).waiting === 1);
    clock.advance(500);

    const usual = { draining: 0, waiting: 0, oldestWaitMs: 0 };
    expect(await fleet.countsByPool('avatar')).toEqual(
      new Map([
        ['default', { ...usual, workers: 1, slots: 2, free: 1 }],
        ['big gpu', { ...usual, workers: 1, slots: 4, free: 4 }],
        ['none yet', { ...usual, workers: 0, slots: 0, free: 0, waiting: 1, oldestWaitMs: 500 }],
      ]),
    );
    expect(await fleet.countsByPool('agent')).toEqual(new Map());

    await fleet.leave(gpu);
    clock.advance(1_500);
    await waiting;

    const isDefaultOnly = async () => [...(await fleet.countsByPool('avatar')).keys()].join();
    await until(async () => (await isDefaultOnly()) === 'default');
    await fleet.close();
  });

  test('offers no slot of a draining worker', async () => {
    const { fleet } = await open();
    await fleet.join(new FakeConnection('worker-a', 2));
    fleet.report('worker-a', { performing: 0, lateFrames: 0, draining: true });

    expect(await reserve(fleet, 'session-1')).toBeNull();
    expect(await fleet.counts()).toMatchObject({ workers: 1, draining: 1, free: 0 });
    await fleet.close();
  });

  test('offers no slot of a cordoned worker, also when it connects again, and keeps its leases', async () => {
    const { fleet } = await open();
    const worker = new FakeConnection('worker-a', 2);
    await fleet.join(worker);
    await reserve(fleet, 'session-1');

    fleet.cordon(new Set(['worker-a']));
    const offered = [await reserve(fleet, 'session-2')];
    await fleet.leave(worker);
    await fleet.join(new FakeConnection('worker-a', 2));
    offered.push(await reserve(fleet, 'session-3'));
    const counts = await fleet.counts();
    const [status] = await fleet.workers();
    fleet.cordon(new Set());

    expect(offered).toEqual([null, null]);
    expect(counts).toMatchObject({ workers: 1, draining: 0, slots: 2, free: 0, leases: 1 });
    expect(status).toMatchObject({ state: 'cordoned', isCordoned: true, taken: 1 });
    await until(async () => (await fleet.counts()).free === 1);
    expect(await fleet.workers()).toMatchObject([{ state: 'ready', isCordoned: false }]);
    await fleet.close();
  });

  test('gives a resumed worker to a waiting request', async () => {
    const { fleet } = await open();
    fleet.cordon(new Set(['worker-a']));
    await fleet.join(new FakeConnection('worker-a', 1));
    const waiting = fleet.reserve({ sessionId: 'session-1', epoch: 1 }, requirements, {
      account: 'account-1',
      waitMs: 2_000,
    });
    await until(async () => (await fleet.counts()).waiting === 1);

    fleet.cordon(new Set());

    expect(await waiting).toMatchObject({ workerId: 'worker-a' });
    await fleet.close();
  });

  test.each<{ answer: Answer; cooldownMs: number }>([
    { answer: 'refused', cooldownMs: 1_000 },
    { answer: 'silent', cooldownMs: 10_000 },
  ])(
    'a worker whose answer is $answer has its slot back and is left alone for $cooldownMs ms',
    async ({ answer, cooldownMs }) => {
      const { fleet, clock } = await open();
      const worker = new FakeConnection('worker-a', 1);
      worker.answer = answer;
      await fleet.join(worker);
      const lease = (await reserve(fleet, 'session-1')) as Lease;

      expect(await fleet.assign(lease, job)).toBe('declined');

      expect(await fleet.counts()).toMatchObject({ leases: 0, free: 0 });
      expect(await reserve(fleet, 'session-1', 2)).toBeNull();
      clock.advance(cooldownMs - 1);
      expect(await reserve(fleet, 'session-1', 3)).toBeNull();
      clock.advance(1);
      expect(await reserve(fleet, 'session-1', 4)).not.toBeNull();
      await fleet.close();
    },
  );

  test('shortens the cooldown of a silent worker when it reports', async () => {
    const { fleet, clock } = await open();
    const worker = new FakeConnection('worker-a', 1);
    worker.answer = 'silent';
    await fleet.join(worker);
    await fleet.assign((await reserve(fleet, 'session-1')) as Lease, job);
    clock.advance(1_000);
    expect(await reserve(fleet, 'session-1', 2)).toBeNull();

    fleet.report('worker-a', { performing: 0, lateFrames: 0, draining: false });
    expect(await reserve(fleet, 'session-1', 3)).toBeNull();
    clock.advance(1_000);

    expect(await reserve(fleet, 'session-1', 4)).not.toBeNull();
    await fleet.close();
  });

  test('offers a worker that refused no other session during its cooldown', async () => {
    const { fleet, clock } = await open();
    const worker = new FakeConnection('worker-a', 1);
    worker.answer = 'refused';
    await fleet.join(worker);
    const lease = (await reserve(fleet, 'session-1')) as Lease;
    const waiting = fleet.reserve({ sessionId: 'session-2', epoch: 1 }, requirements, {
      account: 'account-1',
      waitMs: 2_000,
    });

    await until(async () => (await fleet.counts()).waiting === 1);

    await fleet.assign(lease, job);
    expect(await fleet.counts()).toMatchObject({ leases: 0, waiting: 1 });
    clock.advance(1_000);

    expect(await waiting).toMatchObject({ sessionId: 'session-2' });
    await fleet.close();
  });

  test('lists the connected workers and their states', async () => {
    const { fleet, clock } = await open();
    const worker = new FakeConnection('worker-a', 2);
    await fleet.join(worker);
    await reserve(fleet, 'session-1');
    const [status] = await fleet.workers();
    expect(status).toMatchObject({ taken: 1, state: 'ready', since: clock.now() });

    await fleet.drain('worker-a');
    // Sent before the worker received the drain.
    fleet.report('worker-a', { performing: 1, lateFrames: 0, draining: false });

    expect((await fleet.workers())[0]).toMatchObject({ state: 'draining', facts: worker.facts });
    expect(await reserve(fleet, 'session-2')).toBeNull();
    await fleet.close();
  });

  test('offers no slot of an overloaded worker until it recovers', async () => {
    const { fleet, clock } = await open();
    await fleet.join(new FakeConnection('worker-a', 4));
    const report = (lateFrames: number) =>
      fleet.report('worker-a', { performing: 1, lateFrames, draining: false });
    report(0.3);
    expect(await reserve(fleet, 'session-1')).not.toBeNull();

    clock.advance(5_000);
    report(0.3);
    expect(await reserve(fleet, 'session-2')).toBeNull();
    expect((await fleet.workers())[0]).toMatchObject({ state: 'late' });
    const waiting = fleet.reserve({ sessionId: 'session-3', epoch: 1 }, requirements, {
      account: 'account-1',
      waitMs: 60_000,
    });
    report(0);
    clock.advance(10_000);
    report(0);

    expect(await waiting).toMatchObject({ workerId: 'worker-a' });
    await fleet.close();
  });

  test('explains why there is no slot', async () => {
    const { fleet } = await open();
    expect(await fleet.refusal(requirements)).toBe('no_worker_for_avatar');
    await fleet.join(new FakeConnection('worker-a', 1));
    await reserve(fleet, 'session-1');

    expect(await fleet.refusal(requirements)).toBe('full');
    expect(await fleet.refusal({ ...requirements, pool: 'other' })).toBe('no_worker_for_avatar');
    await fleet.drain('worker-a');
    expect(await fleet.refusal(requirements)).toBe('draining');
    await fleet.close();
  });

  test('lets only urgent requests wait for an avatar that no worker has', async () => {
    const { fleet, clock } = await open();
    await fleet.join(new FakeConnection('worker-a', 1));
    clock.advance(60_000);
    const otto = { ...requirements, avatarId: 'otto' };
    const waits = { account: 'account-1', waitMs: 2_000 };

    expect(await fleet.reserve({ sessionId: 'session-1', epoch: 1 }, otto, waits)).toBeNull();
    const urgent = fleet.reserve({ sessionId: 'session-2', epoch: 2 }, otto, {
      ...waits,
      isUrgent: true,
    });

    await until(async () => (await fleet.counts()).waiting === 1);
    await fleet.close();
    expect(await urgent).toBeNull();
  });

  test('lets requests wait for workers to return after the start and after a disconnect', async () => {
    const { fleet, clock } = await open();
    const place = (sessionId: string) =>
      fleet.reserve({ sessionId, epoch: 1 }, requirements, { account: 'account-1', waitMs: 2_000 });
    const atStart = place('session-1');
    const worker = new FakeConnection('worker-a', 1);
    await fleet.join(worker);
    expect(await atStart).not.toBeNull();
    clock.advance(60_000);
    await fleet.leave(worker);

    const laterLease = place('session-2');
    await fleet.join(new FakeConnection('worker-b', 1));

    expect(await laterLease).toMatchObject({ workerId: 'worker-b' });
    await fleet.close();
  });

  test('gives a session workers of its pool only', async () => {
    const { fleet } = await open();
    await fleet.join(new FakeConnection('worker-a', 1, 'gpu'));

    expect(await reserve(fleet, 'session-1')).toBeNull();
    const ofPool = { ...requirements, pool: 'gpu' };
    const options = { account: 'account-1', waitMs: 0 };
    const lease = await fleet.reserve({ sessionId: 'session-2', epoch: 1 }, ofPool, options);
    expect(lease).toMatchObject({ workerId: 'worker-a' });
    expect(await fleet.leases()).toEqual([lease]);
    await fleet.close();
  });
}
