/* One contract for the counts of one control plane, and for those in Redis that all share. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RedisConnection } from '../../../src/cluster/redis-connection.ts';
import { RedisGuessCounts } from '../../../src/cluster/redis-guess-counts.ts';
import { GuessCounts } from '../../../src/http/limits/guess-counts.ts';
import { quietLog } from '../../support/fleet/control-plane.ts';
import { newPrefix } from '../../support/fleet/redis-fleet.ts';
import { hasRedis, RedisServer } from '../../support/records/redis.ts';
import { TestClock } from '../../support/test-clock.ts';

type Counts = {
  settle(name: string, isWrong: boolean): number | Promise<number>;
  mark(name: string, ms: number): void | Promise<void>;
  isMarked(name: string): boolean | Promise<boolean>;
};

const guess = async (counts: Counts, times: number): Promise<number[]> => {
  const waits: number[] = [];
  for (let i = 0; i < times; i += 1) waits.push(await counts.settle('ada', true));
  return waits;
};

function contract(open: (clock: TestClock) => Counts): void {
  const openWith = () => {
    const clock = new TestClock();
    return { clock, counts: open(clock) };
  };
  test('lets the first ten pass, and then makes wrong and right ones wait', async () => {
    const { counts } = openWith();

    expect(await guess(counts, 11)).toEqual(Array.from({ length: 11 }, () => 0));
    expect(await guess(counts, 3)).toEqual([1000, 1000, 1000]);
    expect(await counts.settle('ada', false)).toBe(1000);
    expect(await counts.settle('bob', false)).toBe(0);
  });

  test('counts no right ones', async () => {
    const { counts } = openWith();

    for (let i = 0; i < 50; i += 1) expect(await counts.settle('ada', false)).toBe(0);
  });

  test('doubles each further wait, up to a minute', async () => {
    const { clock, counts } = openWith();
    await guess(counts, 11);

    const waits: number[] = [];
    for (let i = 0; i < 9; i += 1) {
      const waitMs = await counts.settle('ada', false);
      waits.push(Math.round(waitMs / 1000));
      clock.advance(waitMs);
      await guess(counts, 1);
    }

    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  test('forgets one a minute, and a flood as soon as a few', async () => {
    const { clock, counts } = openWith();
    await guess(counts, 11);
    clock.advance(61_000);

    expect(await guess(counts, 1)).toEqual([0]);
    expect(await counts.settle('ada', false)).toBe(1000);

    for (let i = 0; i < 100; i += 1) {
      clock.advance(60_000);
      await guess(counts, 1);
    }
    clock.advance(10 * 60_000);
    await guess(counts, 1);
    expect(await counts.settle('ada', false)).toBe(0);
  });

  test('counts guesses that come at once, each', async () => {
    const { counts } = openWith();

    const waits = await Promise.all(
      Array.from({ length: 100 }, async () => counts.settle('ada', true)),
    );

    expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(11);
  });

  test('knows what is marked', async () => {
    const { counts } = openWith();
    await counts.mark('ada at home', 60_000);

    expect(await counts.isMarked('ada at home')).toBe(true);
    expect(await counts.isMarked('ada elsewhere')).toBe(false);
  });
}

describe('guesses at one control plane', () => {
  contract((clock) => new GuessCounts(clock));

  test('end their marks with their time', () => {
    const clock = new TestClock();
    const counts = new GuessCounts(clock);
    counts.mark('ada', 60_000);
    clock.advance(60_000);

    expect(counts.isMarked('ada')).toBe(false);
  });

  test('are kept for ten thousand names', () => {
    const counts = new GuessCounts(new TestClock());
    for (let i = 0; i < 12; i += 1) counts.settle('ada', true);
    for (let i = 0; i < 9_999; i += 1) counts.settle(`name ${i}`, true);
    const waitMs = counts.settle('ada', false);
    counts.settle('one more', true);

    expect(waitMs).toBe(1000);
    expect(counts.settle('ada', false)).toBe(0);
  });
});

// Needs redis-server on the PATH; test/support/records/redis.ts says so.
describe.skipIf(!hasRedis)('guesses at all control planes', () => {
  let server: RedisServer;
  let redis: RedisConnection;
  beforeAll(async () => {
    server = await RedisServer.open();
    redis = await RedisConnection.open(server.url, quietLog);
  });
  afterAll(async () => {
    redis.close();
    await server.close();
  });

  contract((clock) => new RedisGuessCounts({ redis, clock, prefix: newPrefix() }));
});
