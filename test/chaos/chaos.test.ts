import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasRedis } from '../support/records/redis.ts';
import { play } from './play.ts';
import { chanceOf, scheduleOf, shrink, type Step } from './schedule.ts';
import { openServers, type Servers } from './servers.ts';

const SEED = 3;

/** A short mix of everything. `npm run chaos` runs the long ones. */
const schedule: Step[] = [
  { afterMs: 0, type: 'open' },
  { afterMs: 0, type: 'open' },
  { afterMs: 0, type: 'open' },
  { afterMs: 500, type: 'kill_worker', index: 0, forMs: 500 },
  { afterMs: 100, type: 'open' },
  { afterMs: 200, type: 'kill_plane', index: 0, forMs: 500 },
  { afterMs: 300, type: 'cut_worker', index: 2 },
  { afterMs: 100, type: 'agent_leaves' },
  { afterMs: 200, type: 'restart_redis', forMs: 500 },
  { afterMs: 100, type: 'restart_postgres', forMs: 300 },
  { afterMs: 500, type: 'drain_worker', index: 3 },
  { afterMs: 100, type: 'end' },
  { afterMs: 0, type: 'open' },
];

let servers: Servers;
beforeAll(async () => {
  if (hasRedis) servers = await openServers();
});
afterAll(() => servers?.close());

// Requires redis-server on the PATH; see test/support/records/redis.ts.
describe.skipIf(!hasRedis)('three control planes under faults', () => {
  test('lose no session, perform none twice, and report each once', async () => {
    const problems = (await play(servers, SEED, schedule)).join('\n');
    // Also as the message: a long string is shortened in reports.
    expect(problems, problems).toBe('');
  });
});

describe('a schedule of faults', () => {
  test('depends only on its seed', () => {
    expect(scheduleOf(7, 20)).toEqual(scheduleOf(7, 20));
    expect(scheduleOf(7, 20)).not.toEqual(scheduleOf(8, 20));
    const chance = chanceOf(7);
    const drawn = Array.from({ length: 1_000 }, chance);
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...drawn)).toBeLessThan(1);
  });

  test('shrinks to the steps that cause a failure', async () => {
    const steps = scheduleOf(7, 30);
    const guilty = [steps[5]!, steps[20]!];

    const shortest = await shrink(steps, async (part) =>
      guilty.every((step) => part.includes(step)),
    );

    expect(shortest).toEqual(guilty);
  });
});
