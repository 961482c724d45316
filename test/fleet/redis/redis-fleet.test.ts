import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Lease } from '../../../src/fleet/fleet.ts';
import { clusterScript } from '../../../src/cluster/cluster-script.ts';
import { RedisSessionOwnership } from '../../../src/cluster/redis-session-ownership.ts';
import { RedisConnection } from '../../../src/cluster/redis-connection.ts';
import { RedisSlots } from '../../../src/fleet/redis/redis-slots.ts';
import { quietLog } from '../../support/fleet/control-plane.ts';
import { FakeConnection } from '../../support/fleet/fake-connection.ts';
import { job } from '../../support/fleet/fleet-requests.ts';
import { newPrefix, openRedisFleet } from '../../support/fleet/redis-fleet.ts';
import { hasRedis, RedisServer } from '../../support/records/redis.ts';
import { until } from '../../support/until.ts';
import { fleetContract } from '../fleet.contract.ts';

const requirements = {
  kind: 'avatar' as const,
  transport: 'mediaserver' as const,
  avatarId: 'mira',
  bundleHash: null,
  hasSpeechSource: false,
  needsFrames: false,
  pool: 'default',
};
const someone = { account: 'account-1', waitMs: 0 };
const patient = { account: 'account-1', waitMs: 2_000 };

let server: RedisServer;
beforeAll(async () => {
  if (hasRedis) server = await RedisServer.open();
});
afterAll(() => server?.close());

// Needs redis-server on the PATH (test/support/records/redis.ts).
describe.skipIf(!hasRedis)('redis fleet', () => {
  let redis: RedisConnection;
  beforeEach(async () => {
    redis = await RedisConnection.open(server.url, quietLog);
  });
  afterEach(() => redis.close());

  fleetContract(() => openRedisFleet(redis, newPrefix()));

  describe('with two control planes', () => {
    let [a, b] = [] as unknown as Awaited<ReturnType<typeof openRedisFleet>>[];
    let otherRedis: RedisConnection;
    let prefix: string;
    beforeEach(async () => {
      otherRedis = await RedisConnection.open(server.url, quietLog);
      prefix = newPrefix();
      a = await openRedisFleet(redis, prefix, 'node-a');
      b = await openRedisFleet(otherRedis, prefix, 'node-b');
    });
    afterEach(async () => {
      for (const each of [a, b]) {
        await each!.fleet.close();
        await each!.bus.close();
      }
      otherRedis.close();
    });

    test('find a worker that joined another node before it left its first one', async () => {
      const earlier = new FakeConnection('worker-a', 1);
      const later = new FakeConnection('worker-a', 1);
      await a!.fleet.join(earlier);
      await b!.fleet.join(later);

      await a!.fleet.leave(earlier);
      expect(await a!.fleet.isConnected('worker-a')).toBe(true);

      await b!.fleet.leave(later);
      expect(await a!.fleet.isConnected('worker-a')).toBe(false);
    });

    test('have one line', async () => {
      const newcomer = { account: 'account-1', ticket: null, visitor: null, needs: [requirements] };
      await b!.fleet.join(new FakeConnection('worker-a', 1));
      const firstPlace = await a!.fleet.line.join(newcomer);
      const secondPlace = await b!.fleet.line.join(newcomer);
      const secondAtA = { ...newcomer, ticket: secondPlace!.ticket };
      expect([firstPlace!.position, secondPlace!.position]).toEqual([1, 2]);
      expect(await a!.fleet.line.isNext(secondAtA)).toBe(false);

      await b!.fleet.line.leave('account-1', firstPlace!.ticket);

      expect(await a!.fleet.line.isNext(secondAtA)).toBe(true);
      expect(await a!.fleet.line.join(secondAtA)).toEqual({ ...secondPlace, position: 1 });
    });

    test('reserves slots of workers that are connected to the other node', async () => {
      await b!.fleet.join(new FakeConnection('worker-a', 1));

      const leases = await Promise.all(
        [a, b, a, b].map((each, i) =>
          each!.fleet.reserve({ sessionId: `session-${i}`, epoch: 1 }, requirements, someone),
        ),
      );

      expect(leases.filter(Boolean)).toHaveLength(1);
      expect(await a!.fleet.leases()).toEqual(leases.filter(Boolean));
      expect(await a!.fleet.counts()).toEqual(await b!.fleet.counts());
    });

    test('gives a freed slot to a request that waits at the other node', async () => {
      await a!.fleet.join(new FakeConnection('worker-a', 1));
      const placement = { sessionId: 'session-1', epoch: 1 };
      const firstLease = (await a!.fleet.reserve(placement, requirements, someone)) as Lease;
      const waits = b!.fleet.reserve({ sessionId: 'session-2', epoch: 1 }, requirements, patient);
      await until(async () => (await a!.fleet.counts()).waiting === 1);

      await a!.fleet.free(firstLease);

      expect(await waits).toMatchObject({ sessionId: 'session-2', workerId: 'worker-a' });
      await until(async () => (await a!.fleet.counts()).waiting === 0);
    });

    test('drains a worker of the other node', async () => {
      const worker = new FakeConnection('worker-a', 1);
      await b!.fleet.join(worker);

      expect(await a!.fleet.drain('worker-a')).toBe(true);
      expect(await a!.fleet.drain('worker-b')).toBe(false);

      expect(worker.orders).toEqual(['drain']);
      await until(async () => (await a!.fleet.workers())[0]?.state === 'draining');
    });

    test('gets a still from a worker of the other node, and none while that node is silent', async () => {
      await b!.fleet.join(new FakeConnection('worker-a', 1));
      const placement = { sessionId: 'session-1', epoch: 2 };
      const take = () => a!.fleet.ask('worker-a', { type: 'take_still', placement });

      const still = await take();
      otherRedis.close();

      expect(Buffer.from(still ?? '', 'base64').toString()).toBe('still of session-1 2');
      await until(async () => (await take()) === null);
    });

    test('gets a contact sheet from a worker of the other node', async () => {
      await b!.fleet.join(new FakeConnection('worker-a', 1));
      const question = { type: 'draw_sheet', avatarId: 'mira' } as const;

      const sheet = await a!.fleet.ask('worker-a', question);
      otherRedis.close();

      expect(sheet?.tiles).toEqual(['mira', 'worker-a']);
      await until(async () => (await a!.fleet.ask('worker-a', question)) === null);
    });

    test('treats an assignment as declined if the other node does not answer', async () => {
      await b!.fleet.join(new FakeConnection('worker-a', 1));
      const placement = { sessionId: 'session-1', epoch: 1 };
      const lease = (await a!.fleet.reserve(placement, requirements, someone)) as Lease;
      await until(async () => (await a!.fleet.counts()).free === 0);
      otherRedis.close();

      await until(async () => (await a!.fleet.assign(lease, job)) === 'declined');

      expect(await a!.fleet.leases()).toEqual([]);
    });

    test('declines an assignment that reaches the other node when the session is placed elsewhere', async () => {
      const worker = new FakeConnection('worker-a', 1);
      await b!.fleet.join(worker);
      const lease = { sessionId: 'session-1', epoch: 1, workerId: 'worker-a' };
      await a!.fleet.hold({ ...lease, epoch: 2, workerId: 'worker-b' });

      expect(await a!.bus.request('node-b', 'assign', { lease, job })).toBe('declined');

      expect(worker.orders).toEqual([]);
    });

    test('obeys the orders of a node of version 0.1.0, and sends what that one reads', async () => {
      const worker = new FakeConnection('worker-a', 1);
      await b!.fleet.join(worker);
      const placement = { sessionId: 'session-1', epoch: 2 };
      const lease = { ...placement, workerId: 'worker-a' };
      const notices: unknown[] = [];
      for (const type of ['end', 'release', 'drop'] as const)
        b!.bus.onNotice(type, (notice) => void notices.push(notice));

      await a!.bus.publish('node-b', 'end', { lease, reason: 'ended_by_client' });
      await a!.bus.publish('node-b', 'release', { lease, withinMs: 5 });
      await a!.bus.publish('node-b', 'drop', { workerId: 'worker-a', placement });
      await until(() => worker.orders.length === 3);
      expect(worker.orders).toEqual([
        'end session-1 ended_by_client',
        'release session-1 2',
        'drop session-1 2',
      ]);

      notices.length = 0;
      await a!.fleet.send('worker-a', { type: 'end', placement, reason: 'ended_by_client' });
      await a!.fleet.send('worker-a', { type: 'release', placement, withinMs: 5 });
      await a!.fleet.send('worker-a', { type: 'drop', placement });
      await until(() => notices.length === 3);
      expect(notices).toMatchObject([
        { lease, reason: 'ended_by_client' },
        { lease, withinMs: 5 },
        { workerId: 'worker-a', placement },
      ]);
    });

    test.each(['drop', 'end'] as const)(
      'declines an assignment whose %s arrives during its check',
      async (type) => {
        const worker = new FakeConnection('worker-a', 1);
        await b!.fleet.join(worker);
        const lease = { sessionId: 'session-1', epoch: 1, workerId: 'worker-a' };
        const check = Promise.withResolvers<boolean>();
        const isHeld = vi.spyOn(RedisSlots.prototype, 'isHeld').mockReturnValueOnce(check.promise);
        const answer = a!.bus.request('node-b', 'assign', { lease, job });
        await until(() => isHeld.mock.calls.length === 1);
        isHeld.mockRestore();

        const placement = { sessionId: 'session-1', epoch: 1 };
        const order =
          type === 'drop'
            ? { type, placement }
            : { type, placement, reason: 'ended_by_client' as const };
        await a!.fleet.send('worker-a', order);
        await until(() => worker.orders.length === 1);
        check.resolve(true);

        expect(await answer).toBe('declined');
        expect(worker.orders).not.toContain('assign session-1 1');
      },
    );

    /** To Redis, as if node b had sent no heartbeat for long. The next one of node a removes it. */
    async function silenceB(): Promise<void> {
      await clusterScript(redis)(prefix, 'goodbye', 'node-b');
      a!.beats.advance(1_500);
      await until(async () => !(await a!.bus.living()).includes('node-b'));
    }

    /** Node b has a worker, and node a removes it. */
    async function takeForGone(): Promise<void> {
      await b!.fleet.join(new FakeConnection('worker-a', 1));
      await silenceB();
      await until(async () => (await a!.fleet.counts()).workers === 0);
    }

    test('publishes its workers again after it was taken for gone', async () => {
      await takeForGone();

      b!.beats.advance(1_500);

      await until(async () => (await a!.fleet.counts()).free === 1);
    });

    test('publishes its workers again when Redis fails meanwhile', async () => {
      await takeForGone();
      const join = vi
        .spyOn(RedisSlots.prototype, 'join')
        .mockRejectedValueOnce(new Error('Command timed out'));
      b!.beats.advance(1_500);
      await until(() => b!.clock.dueIn(1_000) === 1);
      expect(join).toHaveBeenCalledTimes(1);
      join.mockRestore();

      b!.clock.advance(1_000);

      await until(async () => (await a!.fleet.counts()).free === 1);
    });

    test('does not try to publish again when it is closed', async () => {
      await takeForGone();
      const join = vi
        .spyOn(RedisSlots.prototype, 'join')
        .mockRejectedValue(new Error('Command timed out'));
      b!.beats.advance(1_500);
      await until(() => b!.clock.dueIn(1_000) === 1);

      await b!.fleet.close();
      join.mockRestore();

      expect(b!.clock.dueIn(1_000)).toBe(0);
    });

    test('drops a session that the other node has taken over', async () => {
      // As long after the first heartbeat as no node of this test is gone.
      await redis.script('settle', `redis.call('SET', KEYS[1] .. 'settled', 0)`)(prefix);
      const ownerships = [a!, b!].map(({ bus }, i) => {
        const shared = { log: quietLog, prefix, bus, clock: a!.clock };
        return new RedisSessionOwnership({ ...shared, redis: i === 0 ? redis : otherRedis });
      });
      const elsewhere: string[] = [];
      ownerships[1]!.onTakenOver((sessionId) => elsewhere.push(sessionId));
      expect(await ownerships[1]!.claim('session-1')).toBe(true);
      await silenceB();
      expect(await ownerships[0]!.claim('session-1')).toBe(true);

      b!.beats.advance(1_500);
      await until(() => elsewhere.includes('session-1'));
      for (const each of ownerships) each.close();
    });

    test('offers no slots of a node that is gone but keeps its leases', async () => {
      await b!.fleet.join(new FakeConnection('worker-a', 2));
      await b!.fleet.reserve({ sessionId: 'session-1', epoch: 1 }, requirements, someone);
      otherRedis.close();

      await silenceB();
      await until(async () => (await a!.fleet.counts()).workers === 0);

      const placement = { sessionId: 'session-2', epoch: 1 };
      expect(await a!.fleet.reserve(placement, requirements, someone)).toBeNull();
      expect(await a!.fleet.counts()).toMatchObject({ slots: 0, free: 0, leases: 1 });
      expect(await a!.fleet.refusal(requirements)).toBe('no_worker_for_avatar');
    });
  });

  test('lists each of many workers once', async () => {
    const { fleet, bus } = await openRedisFleet(redis, newPrefix());
    const ids = Array.from({ length: 700 }, (_, i) => `worker-${i}`);
    await Promise.all(ids.map((id) => fleet.join(new FakeConnection(id, 1))));

    const listed = (await fleet.workers()).map(({ facts }) => facts.workerId);

    expect(listed.toSorted()).toEqual(ids.toSorted());
    await fleet.close();
    await bus.close();
  });

  test('publishes only changes of a worker', async () => {
    const publishReport = vi.spyOn(RedisSlots.prototype, 'report');
    const { fleet, bus } = await openRedisFleet(redis, newPrefix());
    await fleet.join(new FakeConnection('worker-a', 1));
    publishReport.mockClear();
    const report = (performing: number) =>
      fleet.report('worker-a', { performing, lateFrames: 0, draining: false, sessions: [] });

    for (const performing of [1, 1, 1, 0, 0]) report(performing);

    expect(publishReport).toHaveBeenCalledTimes(2);
    publishReport.mockRestore();
    expect(await fleet.workers()).toMatchObject([{ load: { performing: 0 }, performing: [] }]);
    await fleet.close();
    await bus.close();
  });
});
