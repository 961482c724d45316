import { describe, expect, test } from 'vitest';
import { row } from './row.ts';

describe('row', () => {
  test('has the median, the worst value and the ratio of the medians', () => {
    const result = row({ what: 'wait', unit: 'ms', values: [10, 90, 20], floor: [5, 10, 40] });

    expect(result).toMatchObject({
      median: 20,
      worst: 90,
      floor: { median: 10, worst: 40 },
      ratio: 2,
    });
  });

  test('uses a single figure as median and worst value', () => {
    expect(row({ what: 'faces', unit: '', values: 7 })).toMatchObject({ median: 7, worst: 7 });
  });

  test.each([
    ['smallest for a lower limit', { of: 'worst', atLeast: 24.9 } as const, 24],
    ['largest for an upper limit', { of: 'worst', atMost: 26 } as const, 26],
  ])('considers as worst the %s', (_, goal, worst) => {
    expect(row({ what: 'fps', unit: 'fps', values: [24, 25, 26], goal }).worst).toBe(worst);
  });

  test('considers as worst the farthest from zero for a distance goal', () => {
    const values = [-30, 10, 20];

    const result = row({ what: 'offset', unit: 'ms', values, goal: { of: 'median', within: 20 } });

    expect(result.worst).toBe(-30);
  });

  test('considers as worst the smallest if more is better and there is no goal', () => {
    expect(row({ what: 'fps', unit: 'fps', values: [24, 25], better: 'higher' }).worst).toBe(24);
  });

  test('has no ratio to a floor of zero', () => {
    expect(row({ what: 'lost', unit: 'ms', values: 5, floor: 0 }).ratio).toBeUndefined();
  });

  test('meets no goal without values', () => {
    expect(row({ what: 'wait', unit: 'ms', values: [] }).median).toBeNaN();
  });
});
