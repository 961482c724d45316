import { describe, expect, test } from 'vitest';
import { notOverloaded, nextOverload } from '../../src/fleet/overload.ts';

/** `[second, share of late frames]` -> whether the worker is overloaded after each report. */
const overloads = (...reports: [number, number][]): boolean[] => {
  let overload = notOverloaded;
  return reports.map(([seconds, share]) => {
    overload = nextOverload(overload, share, seconds * 1_000);
    return overload.isOverloaded;
  });
};

describe('overload', () => {
  test('needs more than one bad report, or several at once', () => {
    expect(overloads([0, 0], [5, 0.5], [5.1, 0.5], [6, 0], [10, 0.5])).not.toContain(true);
  });

  test('begins when reports stay bad', () => {
    expect(overloads([0, 0], [5, 0.5], [10, 0.5])).toEqual([false, false, true]);
  });

  test('ends when reports stay good, which takes longer', () => {
    const reports = overloads([0, 0.5], [5, 0.5], [10, 0], [15, 0], [20, 0]);

    expect(reports).toEqual([false, true, true, true, false]);
  });

  test('does not change between the two limits', () => {
    expect(overloads([0, 0.03], [5, 0.04], [10, 0.03])).not.toContain(true);
    expect(
      overloads([0, 0.5], [5, 0.5], [10, 0.03], [15, 0.04], [30, 0.03]).slice(1),
    ).not.toContain(false);
  });
});
