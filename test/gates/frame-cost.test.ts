import { beforeAll, describe, expect, test } from 'vitest';
import { deviations, readBaseline } from './baseline.ts';
import { frameCosts } from './measures/frame-cost.ts';

let costs: ReturnType<typeof frameCosts>;
beforeAll(() => {
  costs = frameCosts();
});

const growthOf = (share: number) => ({ above: (figure: number) => share * figure });

describe('a frame of each built-in avatar', () => {
  test('is drawn as often as in the baseline: only when something moves', () => {
    const exactly = { below: () => 0, above: () => 0 };
    expect(deviations(costs.pictures, readBaseline('frame-pictures'), exactly)).toEqual([]);
  });

  test('allocates no more bytes than in the baseline', () => {
    expect(deviations(costs.bytes, readBaseline('frame-bytes'), growthOf(0.02))).toEqual([]);
  });

  test('takes no more WebAssembly instructions than in the baseline', () => {
    const measured = costs.instructions;
    expect(deviations(measured, readBaseline('frame-instructions'), growthOf(0.01))).toEqual([]);
  });
});
