import { readFileSync } from 'node:fs';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { decodePicture } from '../../../../workers/enrolment/picture/decode-picture.ts';
import {
  flatCmyk,
  flatLossless,
  flatProgressive,
  png,
  portrait,
  withSegment,
} from '../portraits.ts';

const halves = readFileSync(new URL('../../../fixtures/photo/halves.heic', import.meta.url));

/** A picture whose rows and columns all differ. */
function slope(width: number, height: number): Sharp {
  const pixels = Buffer.alloc(3 * width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      pixels.set(
        [40 + (x % 160), 60 + (y % 120), 60 + ((7 * x + 3 * y) % 130)],
        3 * (y * width + x),
      );
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** Like the sensor of a camera: nothing repeats. */
function grain(width: number, height: number): Sharp {
  const pixels = Buffer.alloc(3 * width * height);
  let seed = 1;
  for (let at = 0; at < pixels.length; at++) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    pixels[at] = 100 + (seed >>> 27);
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#b08060' } });

const start = (file: Buffer, share: number) => file.subarray(0, Math.floor(share * file.length));

const colourAt = (
  { width, values }: { width: number; values: Uint8Array },
  x: number,
  y: number,
) => [...values.subarray(4 * (y * width + x), 4 * (y * width + x) + 3)];

describe('a decoded picture', () => {
  test.each<[name: string, make: () => Promise<Buffer>]>([
    ['AVIF', () => sharp(portrait).avif({ effort: 0 }).toBuffer()],
    ['GIF', () => sharp(portrait).gif().toBuffer()],
    ['TIFF', () => sharp(portrait).tiff().toBuffer()],
    ['tiled TIFF', () => sharp(portrait).tiff({ tile: true, compression: 'lzw' }).toBuffer()],
  ])('comes from %s', async (_, make) => {
    const { width, height, values } = await decodePicture(await make());

    const { data } = await sharp(portrait)
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([width, height]).toEqual([512, 512]);
    const difference = data.reduce((sum, value, at) => sum + Math.abs(value - values[at]!), 0);
    expect(difference / data.length).toBeLessThan(6);
  });

  const black = Buffer.alloc(90_000);
  test.each<[name: string, colour: number[], file: Buffer]>([
    ['a JPEG of printing colours', [237, 220, 207], flatCmyk],
    ['a progressive JPEG', [11, 20, 27], flatProgressive],
    ['a lossless WebP', [10, 200, 30], flatLossless],
    [
      'an animated PNG',
      [0, 0, 0],
      png(300, 300, black, { depth: 8, colourType: 0, more: [['acTL', Buffer.alloc(8)]] }),
    ],
    [
      'a PNG with a palette',
      [200, 160, 140],
      png(300, 300, black, {
        depth: 8,
        colourType: 3,
        more: [['PLTE', Buffer.from([200, 160, 140, 0, 0, 0])]],
      }),
    ],
  ])('of one colour comes from %s', async (_, colour, file) => {
    const photo = await decodePicture(file);

    expect(photo.isIncomplete).toBe(false);
    expect(colourAt(photo, 0, 0)).toEqual(colour);
    expect(colourAt(photo, photo.width - 1, photo.height - 1)).toEqual(colour);
  });

  test('comes from HEIC', async () => {
    const photo = await decodePicture(halves);

    expect(photo).toMatchObject({ width: 320, height: 256, isIncomplete: false });
    const [red, , blue] = colourAt(photo, 80, 128);
    expect(red! - blue!).toBeGreaterThan(120);
    const [otherRed, , otherBlue] = colourAt(photo, 240, 128);
    expect(otherBlue! - otherRed!).toBeGreaterThan(120);
  });

  test.each([0.3, 0.9])('is refused: %s of a HEIC', async (share) => {
    await expect(decodePicture(start(halves, share))).rejects.toMatchObject({
      reason: expect.stringMatching(/damaged|not_a_picture/),
    });
  });

  test.each([
    ['48 megapixels', 8000, 6000, 4000],
    ['108 megapixels', 12_000, 9000, 6000],
    ['200 megapixels', 16_320, 12_240, 4080],
  ])('is smaller for %s', async (_, width, height, decodedWidth) => {
    const jpeg = await flat(width, height).jpeg({ quality: 20 }).toBuffer();

    const photo = await decodePicture(jpeg);

    expect(photo.width).toBe(decodedWidth);
    expect(photo.width / photo.height).toBeCloseTo(width / height, 2);
  });

  test('is smaller for a large PNG', async () => {
    const photo = await decodePicture(await flat(8000, 6000).png().toBuffer());

    expect([photo.width, photo.height]).toEqual([4000, 3000]);
  });

  test('is smaller for a large AVIF', async () => {
    const photo = await decodePicture(await flat(7000, 6000).avif({ effort: 0 }).toBuffer());

    expect([photo.width, photo.height]).toEqual([3500, 3000]);
  });

  test.each<[name: string, make: () => Promise<Buffer>]>([
    ['PNG', async () => png(30_000, 10_000, Buffer.alloc(30_000), { depth: 8, colourType: 0 })],
    ['JPEG', async () => withSize(await flat(300, 300).jpeg().toBuffer(), 65_000, 65_000)],
    ['HEIC', async () => withBoxSize(halves, 9000, 8000)],
    ['AVIF', async () => withBoxSize(await flat(300, 300).avif().toBuffer(), 9000, 8000)],
  ])('is refused as too large: %s', async (_, make) => {
    await expect(decodePicture(await make())).rejects.toMatchObject({ reason: 'too_large' });
  });

  test.each<[name: string, share: number, make: () => Sharp]>([
    ['JPEG', 0.75, () => slope(400, 600).jpeg()],
    ['PNG', 0.75, () => slope(400, 600).png()],
    ['interlaced PNG', 0.9, () => slope(400, 600).png({ progressive: true })],
    [
      'interlaced PNG with a palette',
      0.9,
      () => slope(400, 600).png({ progressive: true, palette: true }),
    ],
    ['WebP', 0.75, () => slope(400, 600).webp()],
    ['lossless WebP', 0.75, () => grain(400, 600).webp({ lossless: true })],
  ])('has the rows that are there of a cut %s', async (_, share, make) => {
    const file = await make().toBuffer();
    const wholePhoto = await decodePicture(file);

    const photo = await decodePicture(start(file, share));

    expect(wholePhoto.isIncomplete).toBe(false);
    expect(photo.isIncomplete).toBe(true);
    expect(photo.width).toBe(400);
    expect(photo.height).toBeGreaterThan(300);
    expect(photo.height).toBeLessThan(560);
    const bottom = photo.height - 1;
    for (const x of [0, 200, 399]) {
      expect(colourAt(photo, x, bottom)).toEqual(colourAt(wholePhoto, x, bottom));
    }
  });

  test('is refused as damaged if an interlaced PNG ends before every row has its pixels', async () => {
    const file = await slope(400, 600).png({ progressive: true }).toBuffer();

    await expect(decodePicture(start(file, 0.4))).rejects.toMatchObject({ reason: 'damaged' });
  });

  test('is whole in spite of odd bytes between the parts of a JPEG', async () => {
    const jpeg = await slope(400, 600).jpeg().toBuffer();
    const odd = Buffer.concat([jpeg.subarray(0, 20), Buffer.from('odd'), jpeg.subarray(20)]);

    const photo = await decodePicture(odd);

    expect([photo.width, photo.height]).toEqual([400, 600]);
  });

  test('has nearly all rows of a JPEG without its last two bytes', async () => {
    const jpeg = await slope(400, 600).jpeg().toBuffer();

    const photo = await decodePicture(jpeg.subarray(0, -2));

    expect(photo.width).toBe(400);
    expect(photo.height).toBeGreaterThan(560);
    expect(colourAt(photo, 200, 500)).toEqual(colourAt(await decodePicture(jpeg), 200, 500));
  });

  test.each(['jpeg', 'png', 'webp', 'gif'] as const)(
    'is whole in spite of bytes behind the end of a %s',
    async (kind) => {
      const file = await slope(400, 600).toFormat(kind).toBuffer();
      const wholePhoto = await decodePicture(file);

      const photo = await decodePicture(Buffer.concat([file, Buffer.alloc(5_000, 'odd')]));

      expect(photo).toEqual(wholePhoto);
    },
  );

  // As phones save a picture with its preview, or the two of a stereo camera.
  test('is the first of a JPEG of several pictures (MPO)', async () => {
    const picture = await slope(400, 600).jpeg().toBuffer();
    const preview = await flat(300, 300).jpeg().toBuffer();
    const index = Buffer.from('MPF\0II*\0\x08\0\0\0\0\0', 'latin1');

    const photo = await decodePicture(Buffer.concat([withSegment(picture, 0xe2, index), preview]));

    expect(photo).toEqual(await decodePicture(picture));
  });

  test('comes from an interlaced PNG that is whole', async () => {
    const file = await slope(400, 600).png({ progressive: true }).toBuffer();

    const photo = await decodePicture(file);

    expect(photo).toEqual(await decodePicture(await slope(400, 600).png().toBuffer()));
  });

  test('lacks its bottom where that is cut off, however EXIF turns it', async () => {
    const jpeg = await slope(400, 600).jpeg().withMetadata({ orientation: 6 }).toBuffer();

    const photo = await decodePicture(start(jpeg, 0.75));

    expect(photo.height).toBe(400);
    expect(photo.width).toBeLessThan(560);
    const wholePhoto = await decodePicture(jpeg);
    expect(colourAt(photo, 0, 200)).toEqual(colourAt(wholePhoto, 600 - photo.width, 200));
  });

  test('is the first of an animation', async () => {
    const frames = await Promise.all(
      ['#c02020', '#2020c0'].map((background) =>
        sharp({ create: { width: 300, height: 300, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    for (const kind of ['gif', 'webp'] as const) {
      const animation = sharp(frames, { join: { animated: true } });
      const file = await animation.toFormat(kind).toBuffer();
      const photo = await decodePicture(file);

      expect([photo.width, photo.height]).toEqual([300, 300]);
      expect(colourAt(photo, 150, 150)[0]).toBeGreaterThan(150);
    }
  });

  test('shows what is half transparent as if it was not', async () => {
    const file = await flat(300, 300).ensureAlpha(0.5).png().toBuffer();

    expect(colourAt(await decodePicture(file), 9, 9)).toEqual([0xb0, 0x80, 0x60]);
  });
});

function withSize(jpeg: Buffer, width: number, height: number): Buffer {
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  jpeg.writeUInt16BE(height, frame + 5);
  jpeg.writeUInt16BE(width, frame + 7);
  return jpeg;
}

/** The size that a HEIC or AVIF file says in its box `ispe`. */
function withBoxSize(file: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(file);
  const box = copy.indexOf('ispe');
  copy.writeUInt32BE(width, box + 8);
  copy.writeUInt32BE(height, box + 12);
  return copy;
}
