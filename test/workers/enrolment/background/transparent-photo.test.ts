import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { drawBackground } from '../../../../workers/enrolment/background/background.ts';
import { cutOut } from '../../../../workers/enrolment/background/cut-out.ts';
import { maskOf } from '../../../../workers/enrolment/background/person-mask.ts';
import { headOf, openModels, type Models } from '../../../../workers/enrolment/build.ts';
import { colourAt, raster, type Raster } from '../../../../workers/enrolment/picture/raster.ts';
import { portrait } from '../portraits.ts';

const COLOUR = '#204060';
const CHOSEN = [0x20, 0x40, 0x60];

let models: Models;
beforeAll(async () => {
  models = await openModels();
});

/** The person of the picture over the chosen background. */
async function overColour(file: Uint8Array): Promise<Raster> {
  const head = await headOf(file, models.finder);
  const { person, behind } = cutOut(head.picture, maskOf(head, models.person)!);
  const picture = drawBackground({ kind: 'colour', colour: COLOUR }, behind);
  for (let at = 0; at < picture.values.length; at += 4) {
    const share = person.values[at + 3]! / 255;
    for (let channel = at; channel < at + 3; channel++)
      picture.values[channel] =
        share * person.values[channel]! + (1 - share) * picture.values[channel]!;
  }
  return picture;
}

/** As programs that remove a background leave it: soft at the outline, nothing behind. */
async function withoutItsWall(): Promise<Buffer> {
  const head = await headOf(portrait, models.finder);
  const mask = maskOf(head, models.person)!;
  const picture = raster(512, 512);
  picture.values.set(head.picture.values);
  mask.forEach((share, i) => (picture.values[4 * i + 3] = Math.round(255 * share)));
  const { width, height } = picture;
  return sharp(Buffer.from(picture.values), { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
}

const meanDifference = (a: Raster, b: Raster): number =>
  a.values.reduce((sum, value, at) => sum + Math.abs(value - b.values[at]!), 0) / a.values.length;

/** Pixels of the grey that decoding puts behind transparency. */
function paperIn({ values }: Raster): number {
  let count = 0;
  for (let at = 0; at < values.length; at += 4)
    if (values.subarray(at, at + 3).every((value) => Math.abs(value - 217) < 15)) count += 1;
  return count;
}

describe('a photo with transparency over the background that the user chose', () => {
  test('looks like the opaque one if all of it is half transparent', async () => {
    const half = await sharp(portrait).ensureAlpha(0.5).png().toBuffer();

    const [overlaid, opaque] = [await overColour(half), await overColour(portrait)];

    expect(colourAt(overlaid, 8, 8)).toEqual(CHOSEN);
    expect(meanDifference(overlaid, opaque)).toBeLessThan(2);
  });

  test('shows the chosen background where there was none, without a rim', async () => {
    const cut = await withoutItsWall();
    const overlaid = await overColour(cut);

    for (const [x, y] of [
      [8, 8],
      [504, 8],
      [8, 250],
    ] as const)
      expect(colourAt(overlaid, x, y)).toEqual(CHOSEN);
    // A rim of one pixel would have more than a thousand.
    const opaque = await overColour(portrait);
    expect(paperIn(overlaid) - paperIn(opaque)).toBeLessThan(300);
  });
});
