import { describe, expect, test } from 'vitest';
import {
  drawBackground,
  openBackground,
} from '../../../../workers/enrolment/background/background.ts';
import { colourAt, raster, type Raster } from '../../../../workers/enrolment/picture/raster.ts';
import { drawn, jpegOf } from '../portraits.ts';

/** Black on the left, white on the right. */
function halves(): Raster {
  const picture = raster(512, 512);
  picture.values.fill(255);
  for (let row = 0; row < 512; row++) picture.values.fill(0, 2048 * row, 2048 * row + 1024);
  return picture;
}

describe('the background', () => {
  test('blurs the original', () => {
    const background = drawBackground({ kind: 'blur' }, halves());

    expect(colourAt(background, 8, 256)[0]).toBeLessThan(2);
    expect(colourAt(background, 503, 256)[0]).toBeGreaterThan(253);
    expect(colourAt(background, 246, 256)[0]).toBeGreaterThan(40);
  });

  test('may be one colour', () => {
    const background = drawBackground({ kind: 'colour', colour: '#204060' }, halves());

    expect(colourAt(background, 100, 400)).toEqual([0x20, 0x40, 0x60]);
  });

  test('covers the whole area with a picture of any shape', async () => {
    const wide = await drawn(900, 300, (context) => {
      context.fillStyle = '#c02020';
      context.fillRect(0, 0, 900, 300);
    });

    const wish = await openBackground({ kind: 'picture', picture: await jpegOf(wide) });
    const background = drawBackground(wish, halves());

    for (const [x, y] of [
      [0, 0],
      [511, 511],
      [256, 256],
    ] as const) {
      expect(colourAt(background, x, y)[0]).toBeGreaterThan(180);
    }
  });

  test('is refused if it is not a picture', async () => {
    const picture = Buffer.from('a wall');

    const opening = openBackground({ kind: 'picture', picture });

    await expect(opening).rejects.toMatchObject({ reason: 'bad_background' });
  });
});
