import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RedisConnection } from '../../../src/cluster/redis-connection.ts';
import { SharedWindow } from '../../../src/http/limits/rate-limit.ts';
import { addAgent } from '../../support/api/agent.ts';
import { buildApp } from '../../support/api/build-app.ts';
import { quietLog } from '../../support/fleet/control-plane.ts';
import { hasRedis, RedisServer } from '../../support/records/redis.ts';
import { TestClock } from '../../support/test-clock.ts';

const HOUR_MS = 3_600_000;

const currents = async (...adding: Promise<{ current: number }>[]) =>
  (await Promise.all(adding)).map(({ current }) => current);

// Needs redis-server on the PATH; test/support/records/redis.ts says so.
describe.skipIf(!hasRedis)('a window shared by control planes', () => {
  let redis: RedisServer;
  let links: RedisConnection[];
  beforeEach(async () => {
    redis = await RedisServer.open();
    links = [
      await RedisConnection.open(redis.url, quietLog),
      await RedisConnection.open(redis.url, quietLog),
    ];
  });
  afterEach(async () => {
    for (const link of links) link.close();
    await redis.close();
  });

  const windows = () => links.map((link) => new SharedWindow(new TestClock(), HOUR_MS, link));

  test('has one count per name, reduced by reverted ones', async () => {
    const [window, otherWindow] = windows() as [SharedWindow, SharedWindow];

    expect(await currents(window.add('a'))).toEqual([1]);
    expect(await currents(otherWindow.add('a'), otherWindow.add('b'))).toEqual([2, 1]);
    await window.takeBack('a');
    expect(await currents(otherWindow.add('a'))).toEqual([2]);
  });

  test('is cleared at its end, also when a count is reverted later', async () => {
    const [link] = links as [RedisConnection];

    await link.uncount('a', HOUR_MS);
    const { current, ttl } = await link.count('a', HOUR_MS);

    expect(current).toBe(1);
    expect(ttl).toBeGreaterThan(HOUR_MS - 60_000);
  });

  test('is counted separately while Redis is down', async () => {
    const [window, otherWindow] = windows() as [SharedWindow, SharedWindow];
    await window.add('a');
    await otherWindow.add('a');

    await redis.kill();

    expect(await currents(window.add('a'), otherWindow.add('a'))).toEqual([2, 2]);
    await window.takeBack('a');
    expect(await currents(window.add('a'))).toEqual([2]);
  });

  test('counts chat room calls per address and agent', async () => {
    const service = await buildApp({ env: { REDIS_URL: redis.url, CHAT_CALLS_PER_HOUR: '2' } });
    const agent = await addAgent(service);
    const [elsewhere] = windows() as [SharedWindow];
    await elsewhere.add(`chat 203.0.113.1 ${agent.id}`);
    const open = () =>
      service.app.server.inject({
        method: 'POST',
        url: `/v1/chat/${agent.id}/calls`,
        payload: {},
        remoteAddress: '203.0.113.1',
      });

    const statuses = [(await open()).statusCode, (await open()).statusCode];
    await service.close();

    expect(statuses).toEqual([201, 429]);
    expect(await currents(elsewhere.add(`chat 203.0.113.1 ${agent.id}`))).toEqual([3]);
  });
});
