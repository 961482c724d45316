import { describe, expect, test } from 'vitest';
import { advanceOverload, isOverloaded, type Overload } from '../../src/fleet/overload.ts';

const report = (lateFrames: number, now: number, limit = 0.05) => ({ lateFrames, limit, now });

/** `[second, share of late frames]` -> whether the worker is overloaded after each report. */
const overloads = (...reports: [number, number][]): boolean[] => {
  let overload: Overload = { type: 'normal' };
  return reports.map(([seconds, share]) => {
    overload = advanceOverload(overload, report(share, seconds * 1_000));
    return isOverloaded(overload);
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

describe('a worker', () => {
  test.each<[string, Overload, number, number, Overload]>([
    ['slows at first', { type: 'normal' }, 0.06, 5, { type: 'slowing', since: 5 }],
    ['stays normal at the limit', { type: 'normal' }, 0.05, 5, { type: 'normal' }],
    ['keeps slowing', { type: 'slowing', since: 5 }, 0.06, 4_004, { type: 'slowing', since: 5 }],
    ['is overloaded in time', { type: 'slowing', since: 5 }, 0.06, 4_005, { type: 'overloaded' }],
    ['recovers at first', { type: 'overloaded' }, 0.01, 5, { type: 'recovering', since: 5 }],
    ['stays overloaded at the limit', { type: 'overloaded' }, 0.02, 5, { type: 'overloaded' }],
    ['relapses', { type: 'recovering', since: 5 }, 0.02, 9_005, { type: 'overloaded' }],
    ['is normal in time', { type: 'recovering', since: 5 }, 0.01, 9_005, { type: 'normal' }],
  ])('%s', (_what, state, lateFrames, now, expected) => {
    expect(advanceOverload(state, report(lateFrames, now))).toEqual(expected);
  });

  test('never slows at a limit of all frames', () => {
    expect(advanceOverload({ type: 'normal' }, report(1, 5, 1))).toEqual({ type: 'normal' });
  });
});
