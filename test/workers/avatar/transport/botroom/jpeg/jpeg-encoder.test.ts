import { PLAIN_FRAME } from '#protocol/pictures/frames.ts';
import path from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { openBundle } from '../../../../../../workers/bundle/open-bundle.ts';
import { BuiltInPerformer } from '../../../../../../workers/avatar/performer/built-in-performer.ts';
import { JpegEncoder } from '../../../../../../workers/avatar/transport/botroom/jpeg/jpeg-encoder.ts';
import {
  decoded,
  fullRange,
  pictureOf,
  planesOf,
  psnr,
} from '../../../../../support/picture/i420.ts';
import { matchesSource } from '../../../../../support/rebuilt-wasm.ts';
import { FIRST_AVATAR } from '../../../../../support/cast.ts';

const NORA = path.join(
  import.meta.dirname,
  `../../../../../../workers/avatar/avatars/${FIRST_AVATAR.bundle}`,
);
const FACE = { width: 512, height: 512 };
const SMALL = { width: 64, height: 48 };

/** Repeatable noise, 0..1. */
function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const encodeOne = (i420: Uint8Array, options: { width: number; height: number; quality: number }) =>
  new JpegEncoder(options).encode(i420)!;

async function quality(i420: Uint8Array, options: Parameters<typeof encodeOne>[1]) {
  const picture = await decoded(encodeOne(i420, options));
  return psnr(planesOf(picture), fullRange(i420, options));
}

test('the committed jpeg.wasm matches its source', async () => {
  expect(await matchesSource('build:jpeg')).toBe(true);
});

describe('JPEG of a built-in avatar', () => {
  let face: Uint8Array;
  beforeAll(async () => {
    const bundle = await openBundle(NORA);
    const performer = new BuiltInPerformer(bundle, { seed: 'jpeg', scene: PLAIN_FRAME });
    face = new Uint8Array(FACE.width * FACE.height * 1.5);
    performer.draw(0, face);
    performer.close();
    bundle.close();
  });

  test('is as good as libjpeg at the same quality, in as few bytes', async () => {
    const { y, u, v } = await quality(face, { ...FACE, quality: 80 });

    expect(y).toBeGreaterThan(41.5);
    expect(u).toBeGreaterThan(41);
    expect(v).toBeGreaterThan(41);
    expect(encodeOne(face, { ...FACE, quality: 80 }).length).toBeLessThan(27_000);
  });

  test('has the colours of the picture: the range is widened', async () => {
    const picture = planesOf(await decoded(encodeOne(face, { ...FACE, quality: 80 })));
    const original = fullRange(face, FACE);

    for (const plane of ['y', 'u', 'v'] as const) {
      const error = picture[plane].reduce((sum, value, i) => sum + value - original[plane][i]!, 0);
      expect(Math.abs(error / picture[plane].length)).toBeLessThan(0.3);
    }
  });

  test('is better and longer at a higher quality', async () => {
    const [low, high] = [
      { ...FACE, quality: 50 },
      { ...FACE, quality: 95 },
    ];

    expect((await quality(face, high)).y).toBeGreaterThan((await quality(face, low)).y + 5);
    expect(encodeOne(face, high).length).toBeGreaterThan(2 * encodeOne(face, low).length);
  });
});

describe('JPEG encoder', () => {
  test.each([
    [2, 2],
    [16, 16],
    [18, 34],
    [34, 18],
    [510, 2],
    [2, 510],
    [640, 360],
  ])('encodes %i x %i pixels', async (width, height) => {
    const slope = pictureOf(
      { width, height },
      {
        y: (x, y) => 30 + (180 * (x + y)) / (width + height),
        u: (x) => 118 + (40 * x) / width,
        v: (_x, y) => 118 + (40 * y) / height,
      },
    );

    const jpeg = encodeOne(slope, { width, height, quality: 90 });

    const picture = await decoded(jpeg);
    expect(picture).toMatchObject({ width, height });
    expect(psnr(planesOf(picture), fullRange(slope, { width, height })).y).toBeGreaterThan(40);
  });

  test.each([
    ['grey', 126, 128],
    ['black', 16, 0],
    ['white', 235, 255],
    ['darker than black', 0, 0],
    ['brighter than white', 255, 255],
  ])('encodes %s exactly', async (_name, luma, rgbLevel) => {
    const i420 = pictureOf(SMALL, { y: () => luma });

    const { rgba } = await decoded(encodeOne(i420, { ...SMALL, quality: 80 }));

    expect(new Set(rgba.filter((_, i) => i % 4 !== 3))).toEqual(new Set([rgbLevel]));
  });

  test.each([
    ['red', [81, 90, 240], [255, 0, 0]],
    ['green', [145, 54, 34], [0, 255, 0]],
    ['blue', [41, 240, 110], [0, 0, 255]],
    ['skin', [168, 112, 149], [211, 166, 144]],
  ] as const)('encodes %s as it is seen by other ways', async (_name, [y, u, v], rgb) => {
    const i420 = pictureOf(SMALL, { y: () => y, u: () => u, v: () => v });

    const { rgba } = await decoded(encodeOne(i420, { ...SMALL, quality: 95 }));

    for (const [i, value] of rgb.entries()) expect(Math.abs(rgba[i]! - value)).toBeLessThan(4);
  });

  test.each([1, 50, 100])('encodes the greatest contrasts at quality %i', async (quality) => {
    const random = noise(quality);
    const pictures = [
      pictureOf(SMALL, { y: (x, y) => 255 * ((x + y) % 2) }),
      pictureOf(SMALL, { y: (x) => 255 * (x % 2) }),
      pictureOf(SMALL, { y: (x, y) => 255 * (((x >> 3) + (y >> 3)) & 1) }),
      pictureOf(SMALL, { y: () => 255 * Math.round(random()) }),
    ];

    const encoder = new JpegEncoder({ ...SMALL, quality });
    for (const i420 of pictures) {
      const picture = planesOf(await decoded(encoder.encode(i420)!));
      const { y } = psnr(picture, fullRange(i420, SMALL));
      expect(y).toBeGreaterThan(quality === 1 ? 4 : quality === 50 ? 16 : 40);
    }
  });

  test('encodes noise in all planes within its memory', async () => {
    const random = noise(1);
    const sample = () => 255 * Math.round(random());
    const i420 = pictureOf(SMALL, { y: sample, u: sample, v: sample });

    const jpeg = encodeOne(i420, { ...SMALL, quality: 100 });

    expect(await decoded(jpeg)).toMatchObject(SMALL);
    expect([...jpeg.subarray(-2)]).toEqual([0xff, 0xd9]);
  });

  test('returns null for a picture that equals the last one, also in the same buffer', () => {
    const encoder = new JpegEncoder({ ...SMALL, quality: 80 });
    const [a, b] = [pictureOf(SMALL, {}), pictureOf(SMALL, { u: (x) => (x === 31 ? 140 : 128) })];

    const firstJpeg = encoder.encode(a);
    const results = [a, a.slice(), b, b, a].map((picture) => encoder.encode(picture));
    a[0] = 200;
    const changed = encoder.encode(a);

    expect(results.map((result) => result !== null)).toEqual([false, false, true, false, true]);
    expect(results[4]).toEqual(firstJpeg);
    expect(changed).not.toBeNull();
  });

  test('encodes what changed to the same bytes as a new encoder', () => {
    const size = { width: 70, height: 50 };
    const options = { ...size, quality: 85 };
    const rectangle = fc.record({
      x: fc.nat(69),
      y: fc.nat(49),
      width: fc.integer({ min: 1, max: 40 }),
      height: fc.integer({ min: 1, max: 30 }),
      value: fc.nat(255),
      plane: fc.nat(2),
    });
    fc.assert(
      fc.property(fc.array(fc.array(rectangle, { maxLength: 3 }), { maxLength: 8 }), (changes) => {
        const random = noise(3);
        const i420 = pictureOf(size, { y: () => 100 + 20 * random() });
        const encoder = new JpegEncoder(options);
        encoder.encode(i420);
        for (const rectangles of changes) {
          const previousPicture = i420.slice();
          for (const each of rectangles) paint(i420, size, each);
          const jpeg = encoder.encode(i420);
          if (Buffer.compare(previousPicture, i420) === 0) expect(jpeg).toBeNull();
          else expect(jpeg).toEqual(encodeOne(i420, options));
        }
      }),
    );
  });

  test('shares nothing with other encoders', () => {
    const [columns, rows] = [
      pictureOf(SMALL, { y: (x) => x }),
      pictureOf(SMALL, { y: (_, y) => y }),
    ];
    const [a, b] = [
      new JpegEncoder({ ...SMALL, quality: 80 }),
      new JpegEncoder({ ...SMALL, quality: 40 }),
    ];

    const mixed = [a.encode(columns), b.encode(columns), a.encode(rows), b.encode(rows)];

    expect(mixed).toEqual([
      encodeOne(columns, { ...SMALL, quality: 80 }),
      encodeOne(columns, { ...SMALL, quality: 40 }),
      encodeOne(rows, { ...SMALL, quality: 80 }),
      encodeOne(rows, { ...SMALL, quality: 40 }),
    ]);
  });

  test('returns bytes that later pictures do not change', () => {
    const encoder = new JpegEncoder({ ...SMALL, quality: 80 });
    const jpeg = encoder.encode(pictureOf(SMALL, {}))!;
    const copy = jpeg.slice();

    for (let i = 0; i < 4; i++) encoder.encode(pictureOf(SMALL, { y: (x) => 40 * i + x }));

    expect(jpeg).toEqual(copy);
    expect(jpeg.byteLength).toBe(jpeg.buffer.byteLength);
  });

  test.each([
    { width: 63, height: 48, quality: 80 },
    { width: 64, height: 0, quality: 80 },
    { width: 64, height: 65_536, quality: 80 },
    { width: 64, height: 48, quality: 0 },
    { width: 64, height: 48, quality: 101 },
    { width: 64, height: 48, quality: Number.NaN },
  ])('refuses %o', (options) => {
    expect(() => new JpegEncoder(options)).toThrow(RangeError);
  });

  test('refuses a picture of another size', () => {
    const encoder = new JpegEncoder({ ...SMALL, quality: 80 });

    expect(() => encoder.encode(new Uint8Array(64 * 48))).toThrow('not an I420 picture of 64 x 48');
  });
});

type Rectangle = { x: number; y: number; width: number; height: number };

function paint(
  i420: Uint8Array,
  size: { width: number; height: number },
  { x, y, width, height, value, plane }: Rectangle & { value: number; plane: number },
): void {
  const scale = plane === 0 ? 1 : 2;
  const [across, down] = [size.width / scale, size.height / scale];
  const pixels = size.width * size.height;
  const start = [0, pixels, 1.25 * pixels][plane]!;
  for (let row = Math.floor(y / scale); row < Math.min(down, y + height); row++) {
    for (let column = Math.floor(x / scale); column < Math.min(across, x + width); column++)
      i420[start + row * across + column] = value;
  }
}
