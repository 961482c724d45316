import { describe, expect, test } from 'vitest';
import type { Tally } from '../../../src/records/fleet/canaries.ts';
import { isWorse } from '../../../src/sessions/canary/judge-canary.ts';
import { chanceOf } from '../../chaos/schedule.ts';

const tally = (failures: number, sessions: number): Tally => ({ sessions, failures });

describe('a canary', () => {
  test.each([
    ['every session fails', tally(3, 3), tally(0, 100)],
    ['some fail and none of the others', tally(3, 30), tally(0, 270)],
    ['many more fail', tally(20, 100), tally(5, 400)],
    ['more of many sessions fail', tally(300, 10_000), tally(1_800, 90_000)],
  ])('stops when %s', (_when, canary, stable) => {
    expect(isWorse({ canary, stable })).toBe(true);
  });

  test.each([
    ['there are no sessions', tally(0, 0), tally(0, 0)],
    ['too few failed to tell', tally(2, 2), tally(0, 1_000)],
    ['there is nothing to compare with', tally(5, 5), tally(0, 0)],
    ['as many of the others fail', tally(10, 100), tally(10, 100)],
    ['all fail everywhere', tally(50, 50), tally(400, 400)],
    ['fewer fail', tally(5, 100), tally(40, 400)],
    ['a few more fail than expected', tally(3, 30), tally(2, 270)],
    ['slightly more of many sessions fail', tally(210, 10_000), tally(1_800, 90_000)],
  ])('goes on when %s', (_when, canary, stable) => {
    expect(isWorse({ canary, stable })).toBe(false);
  });

  test('that is as good as the others hardly ever stops, although it is judged at each failure', () => {
    const stopped = Array.from({ length: 200 }, (_, seed) => stops(seed)).filter(Boolean).length;

    expect(stopped).toBeLessThanOrEqual(4);
  });
});

/** A trial of 1,000 sessions, a tenth on the canary, of which 5 % fail on both sides. */
function stops(seed: number): boolean {
  const chance = chanceOf(seed);
  const tallies = { canary: tally(0, 0), stable: tally(0, 0) };
  for (let i = 0; i < 1_000; i += 1) {
    const arm = tallies[chance() < 0.1 ? 'canary' : 'stable'];
    arm.sessions += 1;
    if (chance() >= 0.05) continue;
    arm.failures += 1;
    if (isWorse(tallies)) return true;
  }
  return false;
}
