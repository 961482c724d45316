import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RedisConnection } from '../../../src/cluster/redis-connection.ts';
import { quietLog } from '../../support/fleet/control-plane.ts';
import { FakeConnection } from '../../support/fleet/fake-connection.ts';
import { newPrefix, openRedisFleet } from '../../support/fleet/redis-fleet.ts';
import { hasRedis, RedisServer } from '../../support/records/redis.ts';
import { until } from '../../support/until.ts';

const requirements = {
  kind: 'avatar' as const,
  transport: 'mediaserver' as const,
  avatarId: 'mira',
  bundleHash: null,
  hasSpeechSource: false,
  needsFrames: false,
  pool: 'default',
};
const patient = { account: 'account-1', waitMs: 2_000 };

// Needs redis-server on the PATH (test/support/records/redis.ts).
describe.skipIf(!hasRedis)('a redis fleet', () => {
  let server: RedisServer;
  let redis: RedisConnection;
  beforeEach(async () => {
    server = await RedisServer.open();
    redis = await RedisConnection.open(server.url, quietLog);
  });
  afterEach(async () => {
    redis.close();
    await server.close();
  });

  test('removes workers that left while Redis was unreachable', async () => {
    const prefix = newPrefix();
    const earlier = await RedisConnection.open(server.url, quietLog);
    const departedNode = await openRedisFleet(earlier, prefix);
    await departedNode.fleet.join(new FakeConnection('worker-gone', 1));
    // As if Redis had become unreachable before the worker left.
    earlier.close();
    const { fleet, bus } = await openRedisFleet(redis, prefix);
    await fleet.join(new FakeConnection('worker-a', 1));
    expect(await fleet.counts()).toMatchObject({ workers: 2 });

    const otherClient = new Redis(server.url);
    await otherClient.call('CLIENT', 'KILL', 'TYPE', 'normal');
    otherClient.disconnect();

    await until(async () => (await fleet.counts().catch(() => null))?.workers === 1);
    const lease = await fleet.reserve({ sessionId: 'session-1', epoch: 1 }, requirements, patient);
    expect(lease).toMatchObject({ workerId: 'worker-a' });
    await fleet.close();
    await bus.close();
  });

  test('publishes everything again when Redis returns empty', async () => {
    const { fleet, bus } = await openRedisFleet(redis, newPrefix());
    await fleet.join(new FakeConnection('worker-a', 2));
    const heldLease = { sessionId: 'session-1', epoch: 3, workerId: 'worker-a' };
    await fleet.hold(heldLease);
    await fleet.hold({ ...heldLease, sessionId: 'session-2' });

    await server.kill();
    await expect(
      fleet.reserve({ sessionId: 'session-3', epoch: 1 }, requirements, patient),
    ).rejects.toThrow();
    // A session that ends meanwhile must not keep its slot.
    await expect(fleet.free({ ...heldLease, sessionId: 'session-2' })).rejects.toThrow();
    await server.start();

    await until(async () => {
      const counts = await fleet.counts().catch(() => null);
      return counts?.leases === 1 && counts.free === 1;
    });
    expect(await fleet.leases()).toEqual([heldLease]);
    await fleet.close();
    await bus.close();
  });

  test('holds nobody back by its line while Redis is away, and seats callers anew', async () => {
    const { fleet, bus } = await openRedisFleet(redis, newPrefix());
    await fleet.join(new FakeConnection('worker-a', 1));
    const newcomer = { account: 'account-1', ticket: null, visitor: null, needs: [requirements] };
    await fleet.line.join(newcomer);
    const second = await fleet.line.join(newcomer);
    const request = { ...newcomer, ticket: second!.ticket };
    expect(await fleet.line.isNext(request)).toBe(false);

    await server.kill();
    const isNext = await fleet.line.isNext(request);
    const place = await fleet.line.join(request);
    await fleet.line.leave(newcomer.account, second!.ticket);
    await server.start();

    expect([isNext, place]).toEqual([true, null]);
    await until(async () => (await fleet.line.join(request))?.position === 1);
    await fleet.close();
    await bus.close();
  });
});
