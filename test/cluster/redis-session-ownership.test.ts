/* Over a real Redis and over the simulated one, which must answer alike. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '#shared/clock.ts';
import { systemClock } from '#shared/clock.ts';
import { RedisClusterBus } from '../../src/cluster/redis-cluster-bus.ts';
import { RedisConnection } from '../../src/cluster/redis-connection.ts';
import { RedisSessionOwnership } from '../../src/cluster/redis-session-ownership.ts';
import { SimulatedRedis } from '../support/cluster/simulated-redis.ts';
import { quietLog as log } from '../support/fleet/control-plane.ts';
import { hasRedis, RedisServer } from '../support/records/redis.ts';
import { TestClock } from '../support/test-clock.ts';
import { until } from '../support/until.ts';

const GONE_MS = 1_000;

type Place = {
  clock: Clock;
  connect(): Promise<RedisConnection>;
  empty(): Promise<void>;
  /** Time passes. */
  pass(ms: number): void;
  close(): Promise<void>;
};

async function simulated(): Promise<Place> {
  const clock = new TestClock();
  const redis = new SimulatedRedis(clock);
  return {
    clock,
    connect: async () => redis.connect(clock).asConnection,
    empty: async () => redis.empty(),
    pass: (ms) => clock.advance(ms),
    close: async () => {},
  };
}

async function real(): Promise<Place> {
  const server = await RedisServer.open();
  const connections: RedisConnection[] = [];
  const connect = async () => {
    const connection = await RedisConnection.open(server.url, log);
    connections.push(connection);
    return connection;
  };
  return {
    clock: systemClock,
    connect,
    async empty() {
      const flush = (await connect()).script('flush', `return redis.call('FLUSHALL')`);
      await flush('{troupe}:');
    },
    pass: () => {},
    async close() {
      for (const connection of connections) connection.close();
      await server.close();
    },
  };
}

const places = [
  { name: 'simulated', open: simulated, isHere: true },
  // Needs redis-server on the PATH (test/support/records/redis.ts).
  { name: 'real', open: real, isHere: hasRedis },
];

describe.each(places.filter(({ isHere }) => isHere))('session ownership: $name', ({ open }) => {
  let place: Place;
  const closes: (() => unknown)[] = [];
  beforeEach(async () => {
    place = await open();
  });
  afterEach(async () => {
    for (const close of closes.splice(0).toReversed()) await close();
    await place.close();
  });

  /** `beatMs`: pause between its heartbeats. */
  async function join(self: string, beatMs: number) {
    const { clock } = place;
    const redis = await place.connect();
    const bus = await RedisClusterBus.open({ redis, clock, log, self, beatMs, goneMs: GONE_MS });
    const ownership = new RedisSessionOwnership({ redis, bus, clock, log });
    closes.push(
      () => bus.close(),
      () => ownership.close(),
    );
    const takenOver: string[] = [];
    ownership.onTakenOver((sessionId) => takenOver.push(sessionId));
    return { bus, ownership, takenOver };
  }
  /** A node that sends no second heartbeat in time. */
  const silent = (self: string) => join(self, 3_600_000);
  const lively = (self: string) => join(self, GONE_MS / 10);

  /** Lets time pass until the answer is no longer `unclear`. */
  async function adopted(ownership: RedisSessionOwnership, sessionId: string) {
    let adoption = await ownership.adopt(sessionId);
    await until(async () => {
      place.pass(GONE_MS / 10);
      adoption = await ownership.adopt(sessionId);
      return adoption !== 'unclear';
    });
    return adoption;
  }

  test('a session without an owner is unclear while Redis is new, then owned', async () => {
    const { ownership } = await lively('node-a');

    expect(await ownership.adopt('session-1')).toBe('unclear');

    expect(await adopted(ownership, 'session-1')).toBe('owned');
    expect(await ownership.ownerOf('session-1')).toBe('node-a');
    expect(await ownership.adopt('session-1')).toBe('owned');
  });

  test('a session of a live node is elsewhere, also while Redis is new', async () => {
    const [a, b] = [await lively('node-a'), await lively('node-b')];
    expect(await a.ownership.claim('session-1')).toBe(true);

    expect(await b.ownership.adopt('session-1')).toBe('elsewhere');
    expect(await b.ownership.claim('session-1')).toBe(false);
    expect(b.takenOver).toEqual(['session-1']);
  });

  test('a session of a node that is gone can be adopted', async () => {
    const [a, b] = [await silent('node-a'), await lively('node-b')];
    await a.ownership.claim('session-1');

    await until(async () => {
      place.pass(GONE_MS / 10);
      return !(await b.bus.living()).includes('node-a');
    });

    expect(await adopted(b.ownership, 'session-1')).toBe('owned');
    expect(await a.ownership.claim('session-1')).toBe(false);
    expect(a.takenOver).toEqual(['session-1']);
  });

  test('a live node keeps its session when Redis loses its data', async () => {
    const [a, b] = [await lively('node-a'), await lively('node-b')];
    expect(await adopted(a.ownership, 'session-1')).toBe('owned');

    await place.empty();

    expect(['unclear', 'elsewhere']).toContain(await b.ownership.adopt('session-1'));
    expect(await adopted(b.ownership, 'session-1')).toBe('elsewhere');
    expect(await b.ownership.ownerOf('session-1')).toBe('node-a');
    expect(a.takenOver).toEqual([]);
  });

  test('a node that claims first after a loss keeps the session before its heartbeat', async () => {
    const [a, b] = [await silent('node-a'), await silent('node-b')];
    await place.empty();

    expect(await a.ownership.claim('session-1')).toBe(true);

    expect(await b.ownership.claim('session-1')).toBe(false);
    expect(await b.ownership.adopt('session-1')).toBe('unclear');
  });
});

/** Redis answers nothing. */
function awayOwnership() {
  const clock = new TestClock();
  let claims = 0;
  let warnings = 0;
  let onBack: (() => void) | null = null;
  const redis = {
    script: () => async () => {
      claims += 1;
      throw new Error('away');
    },
    onBack: (listener: () => void) => {
      onBack = listener;
      return () => {};
    },
  } as unknown as RedisConnection;
  const ownership = new RedisSessionOwnership({
    redis,
    bus: { self: 'node-a', onForgotten: () => () => {} },
    clock,
    log: { ...log, warn: () => (warnings += 1) },
  });
  const claimAll = async () => {
    for (const sessionId of ['session-1', 'session-2', 'session-3'])
      await ownership.claim(sessionId).catch(() => {});
    claims = 0;
    onBack?.();
  };
  return { clock, ownership, claimAll, counts: () => ({ claims, warnings }) };
}

describe('session ownership while Redis is away', () => {
  test('is claimed again each second, with one line in the log', async () => {
    const { clock, ownership, claimAll, counts } = awayOwnership();

    await claimAll();
    await clock.pass(4_000);

    expect(counts()).toEqual({ claims: 15, warnings: 5 });
    ownership.close();
    expect(clock.waiting).toBe(0);
  });

  test('is not claimed again after a claim that fails once it is closed', async () => {
    const { clock, ownership, claimAll, counts } = awayOwnership();

    await claimAll();
    ownership.close();
    await clock.pass(10_000);

    expect(clock.waiting).toBe(0);
    expect(counts().claims).toBe(3);
  });
});
