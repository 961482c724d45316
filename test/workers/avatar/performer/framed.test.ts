import { beforeAll, describe, expect, test } from 'vitest';
import type { Face } from '../../../../workers/bundle/open-bundle.ts';
import { FaceMemory } from '../../../../workers/avatar/performer/face.ts';
import {
  framedBackground,
  framedBase,
  framedDifference,
  scaledI420,
} from '../../../../workers/avatar/performer/framed.ts';
import { BORDER } from '../../../../workers/avatar/performer/planes.ts';
import { tapsOf } from '../../../../workers/avatar/performer/taps.ts';
import type { View } from '../../../../workers/avatar/performer/view.ts';
import { drawnBundle, SIZE } from '../../../support/picture/drawn-face.ts';

let face: Face;
beforeAll(async () => {
  ({ face } = await drawnBundle());
});

const view = (scale: number, fields: Partial<View> = {}): View => ({
  width: SIZE,
  height: SIZE,
  x: 0,
  y: 0,
  scale,
  ...fields,
});
const frame = { width: SIZE, height: SIZE };
/** A pixel of a framed base plane. */
const at = (plane: Uint8Array, x: number, y: number) =>
  plane[(y + BORDER) * (SIZE + 2 * BORDER) + x + BORDER]!;

const sum = (values: Int16Array) => values.reduce((total, value) => total + value, 0);

/** Scales a line of four pixels with two pixels around it to twice its size. */
const line = (outside: 'zero' | 'mirror' | 'repeat') => {
  const { count, tapCount, table } = tapsOf(8, { start: -2, step: 0.5, sourceCount: 4, outside });
  const firsts = new Int32Array(table.buffer, 0, count);
  const weights = new Float32Array(table.buffer, 4 * count);
  return (source: number[]) =>
    Array.from({ length: count }, (_, i) =>
      Array.from({ length: tapCount }, (_, tap) => tap).reduce(
        (sum, tap) => sum + weights[i * tapCount + tap]! * (source[firsts[i]! + tap] ?? 0),
        0,
      ),
    );
};

describe('taps', () => {
  test('keep a constant line, except outside where nothing is', () => {
    const constant = [7, 7, 7, 7];

    for (const value of line('repeat')(constant)) expect(value).toBeCloseTo(7, 4);
    for (const value of line('mirror')(constant)) expect(value).toBeCloseTo(7, 4);
    expect(line('zero')(constant)[0]).toBeCloseTo(0, 4);
    expect(line('zero')(constant)[6]).toBeCloseTo(7, 0);
  });

  test('say which pixels have weights', () => {
    const outside = { step: 1, sourceCount: 4, outside: 'zero' } as const;

    expect(tapsOf(20, { start: -8, ...outside })).toMatchObject({ start: 6, end: 14 });
    expect(tapsOf(4, { start: 100, ...outside })).toMatchObject({ start: 0, end: 0 });
    expect(tapsOf(4, { start: 100, ...outside, outside: 'repeat' })).toMatchObject({ end: 4 });
  });
});

describe('a framed face', () => {
  test('is the picture itself at its own scale', () => {
    const base = framedBase(face, view(1), frame);

    for (let i = 0; i < SIZE; i++)
      for (const plane of ['y', 'a'] as const)
        expect(at(base[plane], i, (i * 7) % SIZE)).toBe(
          face.base[plane][((i * 7) % SIZE) * SIZE + i]!,
        );
  });

  test('has its parts where the view puts them', () => {
    const half = framedBase(face, view(0.5), frame);
    const shifted = framedBase(face, view(1, { x: 10, y: 20 }), frame);

    // The middle of the forehead, and the air beside the head.
    expect(at(half.a, 32, 14)).toBe(255);
    expect(at(half.a, 2, 2)).toBe(0);
    expect(at(shifted.y, 50, 40)).toBe(face.base.y[60 * SIZE + 60]!);
  });

  test('fades out where the picture cuts it off at the sides', () => {
    const wide = framedBase(face, view(0.5, { x: -SIZE / 2, y: SIZE / 2 }), frame);

    // The shoulders reach the sides of the picture in its last rows.
    const row = SIZE / 4 - 3;
    const [edge, middle] = [at(wide.a, 33, row), at(wide.a, 64, row)];
    expect(edge).toBeLessThan(40);
    expect(middle).toBe(255);
  });

  test('shows a sprite as the scaled picture of the whole', () => {
    const mouth = face.mouths.find(({ name }) => name === 'open_2')!.unpackNow();
    const scaled = framedDifference(mouth, view(0.5), frame);

    expect(scaled.area.x % 16).toBe(0);
    // A quarter as many pixels.
    expect(sum(scaled.y)).toBeCloseTo(sum(mouth.y) / 4, -3);
  });

  test('has no sprite that lies outside of the frame', () => {
    const mouth = face.mouths.find(({ name }) => name === 'open_2')!.unpackNow();

    expect(framedDifference(mouth, view(1, { x: 1000 }), frame).area.width).toBe(0);
  });

  test('continues its room as in a mirror', () => {
    const room = framedBackground(face, view(1, { x: -16 }), frame);

    for (const row of [3, 60]) expect(room[row * SIZE + 6]).toBe(face.background[row * SIZE + 10]);
  });

  test('can be drawn in any even size', () => {
    const memory = new FaceMemory(face, view(0.7, { width: 90, height: 74 }));
    const planes = memory.take();
    const frame = new Uint8Array(90 * 74 * 1.5).fill(255);
    memory.warp.field(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0);

    expect(memory.draw(planes, frame)).toBe(true);
    expect(frame.filter((value) => value === 255).length).toBe(0);
  });
});

test('a scaled picture keeps its colours', () => {
  const [width, height] = [64, 32];
  const i420 = new Uint8Array(1.5 * width * height)
    .fill(90, 0, width * height)
    .fill(100, width * height, 1.25 * width * height)
    .fill(150, 1.25 * width * height);

  const scaled = scaledI420(
    { i420, width, height },
    { width: 96, height: 80 },
    {
      x: -10,
      y: 4,
      step: 0.4,
    },
  );

  const pixels = 96 * 80;
  expect(new Set(scaled.subarray(0, pixels))).toEqual(new Set([90]));
  expect(new Set(scaled.subarray(pixels, 1.25 * pixels))).toEqual(new Set([100]));
  expect(new Set(scaled.subarray(1.25 * pixels))).toEqual(new Set([150]));
});
