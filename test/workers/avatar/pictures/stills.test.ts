import { describe, expect, test } from 'vitest';
import { STILL_TEXT } from '#protocol/pictures/stills.ts';
import { Stills } from '../../../../workers/avatar/pictures/stills.ts';
import { decoded, pictureOf } from '../../../support/picture/i420.ts';

describe('a still', () => {
  test.each([
    [
      { width: 512, height: 512 },
      { width: 160, height: 160 },
    ],
    [
      { width: 720, height: 1280 },
      { width: 90, height: 160 },
    ],
    [
      { width: 1280, height: 720 },
      { width: 160, height: 90 },
    ],
    [
      { width: 96, height: 64 },
      { width: 96, height: 64 },
    ],
  ])('of %j is %j, with the mean of what each pixel covers', async (from, to) => {
    const stills = new Stills(from);
    // Stripes of single columns have no mean but grey; the lower half is black.
    const striped = pictureOf(from, {
      y: (x, y) => (y < from.height / 2 ? (x % 2) * 200 + 16 : 16),
    });

    const picture = await decoded(stills.take(striped));

    expect({ width: picture.width, height: picture.height }).toEqual(to);
    const meanOf = (row: number) => {
      const pixels = Array.from({ length: to.width }, (_, x) => 4 * (row * to.width + x));
      return pixels.reduce((sum, at) => sum + picture.rgba[at]!, 0) / to.width;
    };
    expect(Math.abs(meanOf(8) - 116)).toBeLessThan(6);
    expect(meanOf(to.height - 8)).toBeLessThan(6);
  });

  test('of the same frame is the same again, and of another one new', () => {
    const size = { width: 512, height: 512 };
    const stills = new Stills(size);
    const [dark, light] = [40, 200].map((luma) => pictureOf(size, { y: () => luma }));

    const firstStill = stills.take(dark!);
    const repeatedStill = stills.take(dark!);
    const lightStill = stills.take(light!);

    expect(repeatedStill).toEqual(firstStill);
    expect(lightStill).not.toEqual(firstStill);
  });

  test('of mere noise still fits in a message', () => {
    let state = 1;
    const noise = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    };
    // As large as a still, because shrinking would make it grey.
    const size = { width: 160, height: 160 };

    const jpeg = new Stills(size).take(pictureOf(size, { y: noise, u: noise, v: noise }));

    expect(Buffer.from(jpeg).toString('base64').length).toBeLessThan(STILL_TEXT.maxLength);
  });
});
