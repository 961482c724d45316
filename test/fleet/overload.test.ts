import { describe, expect, test } from 'vitest';
import { inTime, judge } from '../../src/fleet/overload.ts';

/** `[at which second, share of late frames]` -> whether it was late after each. */
const judged = (...reports: [number, number][]): boolean[] => {
  let lateness = inTime;
  return reports.map(([seconds, share]) => {
    lateness = judge(lateness, share, seconds * 1_000);
    return lateness.isLate;
  });
};

describe('lateness', () => {
  test('is not in one bad report, nor in several of one moment', () => {
    expect(judged([0, 0], [5, 0.5], [5.1, 0.5], [6, 0], [10, 0.5])).not.toContain(true);
  });

  test('is in reports that stay bad', () => {
    expect(judged([0, 0], [5, 0.5], [10, 0.5])).toEqual([false, false, true]);
  });

  test('is over when reports stay good, which takes longer', () => {
    const reports = judged([0, 0.5], [5, 0.5], [10, 0], [15, 0], [20, 0]);

    expect(reports).toEqual([false, true, true, true, false]);
  });

  test('does not flap between the two limits', () => {
    expect(judged([0, 0.03], [5, 0.04], [10, 0.03])).not.toContain(true);
    expect(judged([0, 0.5], [5, 0.5], [10, 0.03], [15, 0.04], [30, 0.03]).slice(1)).not.toContain(
      false,
    );
  });
});
