import { describe, expect, test } from 'vitest';
import { deviations, readBaseline } from './baseline.ts';
import { installedSize } from './measures/installed-size.ts';
import { botroomCodeSize, pageSizes, shippedSizes, transferred } from './measures/sizes.ts';

const LITTLE = { above: (size: number) => 0.02 * size };

describe('sizes', () => {
  test("of each page's assets are no larger than the baseline", async () => {
    const sizes = await pageSizes();

    expect(deviations(sizes, readBaseline('page-sizes'), LITTLE)).toEqual([]);
    // A page of another origin loads this for `<troupe-agent>` before a call.
    expect(sizes['embed.js']).toBeGreaterThan(5 * 1024);
    expect(sizes['embed.js']).toBeLessThan(60 * 1024);
  });

  test('of the room page, as sent before a call, is below 120 KB', async () => {
    const bytes = await transferred('room/index.html');

    // Scripts were found, and the font, which has 77 KB.
    expect(bytes).toBeGreaterThan(90_000);
    expect(bytes).toBeLessThan(120_000);
  });

  test('of the code for botrooms on the try page is below 10 KB', async () => {
    const bytes = await botroomCodeSize();

    expect(bytes).toBeGreaterThan(4 * 1024);
    expect(bytes).toBeLessThan(10 * 1024);
  });

  test('of the packages of an installation is below 350 MB', () => {
    const megabytes = installedSize() / 1e6;

    // They are installed here.
    expect(megabytes).toBeGreaterThan(100);
    expect(megabytes).toBeLessThan(350);
  });

  test('of bundles, pictures, weights and WebAssembly are no larger than the baseline', async () => {
    expect(deviations(await shippedSizes(), readBaseline('shipped-sizes'), LITTLE)).toEqual([]);
  });
});
