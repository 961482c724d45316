import { describe, expect, test } from 'vitest';
import { BUILT_IN, builtInSheet, compareWithGolden } from './measures/golden.ts';
import { deltaE, type Difference } from './measures/perceptual.ts';

/**
 * The relaxed SIMD instructions of the warp may round differently by one step on other processors.
 */
const isSeen = ({ mean, greatest }: Difference) => mean > 0.1 || greatest > 1;

describe('pictures of a built-in avatar', () => {
  test.each(BUILT_IN)('%s: match the golden sheet', async (name) => {
    const difference = await compareWithGolden(name, await builtInSheet(name), isSeen);

    const { mean, greatest } = difference;
    const message = `CIEDE2000 mean ${mean.toFixed(3)}, block ${greatest.toFixed(2)}: see test/gates/dist`;
    expect(isSeen(difference), message).toBe(false);
  });
});

describe('colour difference', () => {
  // Test pairs published by Sharma, Wu and Dalal.
  test.each([
    [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
    [[50, -1, 2], [50, 0, 0], 2.3669],
    [[50, 2.49, -0.001], [50, -2.49, 0.0011], 7.2195],
    [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
    [[2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514], 0.9082],
  ] as const)('of %j and %j is %d', (a, b, expected) => {
    expect(deltaE(a, b)).toBeCloseTo(expected, 4);
  });
});
