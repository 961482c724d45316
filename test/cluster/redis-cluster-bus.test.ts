import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NodeGone } from '../../src/cluster/cluster-bus.ts';
import { RedisClusterBus } from '../../src/cluster/redis-cluster-bus.ts';
import { RedisConnection } from '../../src/cluster/redis-connection.ts';
import { quietLog } from '../support/fleet/control-plane.ts';
import { hasRedis, RedisServer } from '../support/records/redis.ts';
import { TestClock } from '../support/test-clock.ts';
import { until } from '../support/until.ts';

type Requests = { double: { request: { n: number }; response: number } };
type Notices = { hello: { name: string } };

// Needs redis-server on the PATH (test/support/records/redis.ts).
describe.skipIf(!hasRedis)('redis cluster bus', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.open();
  });
  afterAll(() => server.close());

  const connections: RedisConnection[] = [];
  let clock: TestClock;
  const open = async (self: string) => {
    const redis = await RedisConnection.open(server.url, quietLog);
    connections.push(redis);
    return RedisClusterBus.open<Requests, Notices>({ redis, clock, log: quietLog, self });
  };
  let a: RedisClusterBus<Requests, Notices>;
  let b: RedisClusterBus<Requests, Notices>;
  beforeEach(async () => {
    clock = new TestClock();
    a = await open('node-a');
    b = await open('node-b');
  });
  afterEach(async () => {
    await a.close();
    await b.close();
    for (const redis of connections.splice(0)) redis.close();
  });

  test('returns the response of the other node', async () => {
    b.onRequest('double', ({ n }) => 2 * n);

    expect(await a.request('node-b', 'double', { n: 21 })).toBe(42);
  });

  test('rejects with the error of the other node', async () => {
    b.onRequest('double', () => {
      throw new Error('too large');
    });

    await expect(a.request('node-b', 'double', { n: 1 })).rejects.toThrow('too large');
  });

  test('rejects at once with NodeGone if no such node listens', async () => {
    await expect(a.request('node-c', 'double', { n: 1 })).rejects.toThrow(NodeGone);
  });

  test('waits beyond the usual time for a node that may work for its response', async () => {
    const { promise: work, resolve: finish } = Promise.withResolvers<number>();
    const requests: number[] = [];
    b.onRequest('double', ({ n }) => {
      requests.push(n);
      return work;
    });

    const hasty = a.request('node-b', 'double', { n: 1 });
    const patient = a.request('node-b', 'double', { n: 2 }, { workMs: 10_000 });
    const refusal = expect(hasty).rejects.toThrow(NodeGone);
    await until(() => requests.length === 2);
    clock.advance(5_000);
    await refusal;
    finish(4);

    expect(await patient).toBe(4);
  });

  test('delivers a notice to all other nodes, not to its sender', async () => {
    const notices: string[] = [];
    a.onNotice('hello', ({ name }) => notices.push(`a: ${name}`));
    b.onNotice('hello', ({ name }) => notices.push(`b: ${name}`));

    await a.publish(null, 'hello', { name: 'everyone' });
    await a.publish('node-b', 'hello', { name: 'node-b' });

    await until(() => notices.length === 2);
    expect(notices).toEqual(['b: everyone', 'b: node-b']);
  });

  test.each([
    '',
    'hello',
    'null',
    '7',
    '[]',
    '{}',
    '{"told":{"name":"nobody"}}',
    '{"from":"node-c","type":"hello","told":null}',
    '{"from":7,"type":"double","id":"question-1","asked":{"n":1}}',
    '{"from":"node-c","type":"double","id":"question-1","asked":null}',
    '{"id":1,"answer":1}',
    '{"id":"question-1"}',
  ])('stays up when anything else is published: %s', async (text) => {
    const notices: string[] = [];
    b.onRequest('double', ({ n }) => 2 * n);
    b.onNotice('hello', ({ name }) => notices.push(name));
    b.onNotice('hello', () => notices.push('second listener'));

    for (const node of ['all', 'node-b'])
      await connections[0]!.publish(`{troupe}:node:${node}`, text);

    expect(await a.request('node-b', 'double', { n: 21 })).toBe(42);
    await a.publish(null, 'hello', { name: 'node-a' });
    await until(() => notices.includes('node-a'));
    expect(notices.at(-1)).toBe('second listener');
  });

  test('lists the live nodes', async () => {
    expect((await a.living()).toSorted()).toEqual(['node-a', 'node-b']);
  });
});
