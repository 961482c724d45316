import { describe, expect, test } from 'vitest';
import { deviations, readBaseline } from './baseline.ts';
import { botroomCodeSize, pageSizes, shippedSizes } from './measures/sizes.ts';

const LITTLE = { above: (size: number) => 0.02 * size };

describe('sizes', () => {
  test("of each page's assets are no larger than the baseline", async () => {
    expect(deviations(await pageSizes(), readBaseline('page-sizes'), LITTLE)).toEqual([]);
  }, 60_000);

  test('of the code for botrooms on the try page is below 10 KB', async () => {
    const bytes = await botroomCodeSize();

    expect(bytes).toBeGreaterThan(4 * 1024);
    expect(bytes).toBeLessThan(10 * 1024);
  }, 60_000);

  test('of bundles, pictures, weights and WebAssembly are no larger than the baseline', async () => {
    expect(deviations(await shippedSizes(), readBaseline('shipped-sizes'), LITTLE)).toEqual([]);
  });
});
