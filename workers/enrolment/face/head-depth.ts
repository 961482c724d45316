import type { Pixels } from '../../bundle/png.ts';
import { blurPlane } from '../picture/blur.ts';
import { CHIN, OVAL, type Point } from './face-points.ts';
import { type Head, SIZE } from './head-crop.ts';
import { clamp, ramp } from '../picture/raster.ts';
import { fillSmoothly } from '../picture/smooth-fill.ts';

/**
 * As in the built-in avatars: the face fills the same part of the picture, so its distance to the
 * camera is the same.
 */
export const CAMERA = { focal_px: 1208.9, cx: 256, cy: 237.6, distance: 7.9 };
export const DEPTH = { near: 6.5, far: 9 };
const PIXELS_A_UNIT = CAMERA.focal_px / CAMERA.distance;

/**
 * Everything half a face size around the face is hair. It lies this far behind, in camera units.
 */
const HAIR_BEHIND = 0.15;
const HAIR_REACH = 1.5;
/** The warp's grid has a step of 8 pixels. Steeper depth would tear. */
const SOFT = 7;

/** Millimetres below the chin over which the neck changes from head to body. */
const NECK = { from: 5, to: 50 };
const WEIGHT_SOFT = 6;

/**
 * The head turns around the top of the spine, as far behind the face as in the built-in avatars.
 */
export function pivotOf({ points, mm }: Head): [number, number, number] {
  const chin = points[CHIN]!;
  const x = (chin[0] - CAMERA.cx) / PIXELS_A_UNIT;
  const y = (CAMERA.cy - (chin[1] - 10 * mm)) / PIXELS_A_UNIT;
  return [x, y, -0.25];
}

/**
 * Centre and height of the head with its hair, in pixels: every photo is cropped so that they are
 * about the same.
 */
export const HEAD_PLACE = { x: SIZE / 2, y: 0.465 * SIZE, height: 0.69 * SIZE };

/** Distance of each pixel to the camera: 16 bits from `near` to `far`. */
export function depthOf({ points }: Head): Pixels {
  const depth = new Float32Array(SIZE * SIZE);
  const knownMask = new Uint8Array(SIZE * SIZE);
  const know = ([x, y, z]: Point) => {
    const [column, row] = [Math.round(x), Math.round(y)];
    if (column < 0 || row < 0 || column >= SIZE || row >= SIZE) return;
    knownMask[row * SIZE + column] = 1;
    depth[row * SIZE + column] = CAMERA.distance + z / PIXELS_A_UNIT;
  };
  for (let i = 0; i < SIZE; i++) {
    const behind = HAIR_BEHIND * PIXELS_A_UNIT;
    for (const [x, y] of [
      [i, 0],
      [i, SIZE - 1],
      [0, i],
      [SIZE - 1, i],
    ])
      know([x!, y!, behind]);
  }
  around(points).forEach(know);
  points.forEach(know);
  fillSmoothly({ width: SIZE, height: SIZE, channels: [depth], knownMask });
  blurPlane(depth, SIZE, SIZE, SOFT);
  return {
    width: SIZE,
    height: SIZE,
    channels: 1,
    samples: Uint16Array.from(depth, (away) => Math.round(65_535 * share(away))),
  };
}

const share = (away: number) => clamp((away - DEPTH.near) / (DEPTH.far - DEPTH.near), 0, 1);

/** A ring of hair points around the face. */
function around(points: Point[]): Point[] {
  const oval = OVAL.map((index) => points[index]!);
  const middle = [0, 1].map(
    (axis) => oval.reduce((sum, point) => sum + point[axis]!, 0) / oval.length,
  );
  return oval.map(([x, y]): Point => [
    middle[0]! + HAIR_REACH * (x - middle[0]!),
    middle[1]! + HAIR_REACH * (y - middle[1]!),
    HAIR_BEHIND * PIXELS_A_UNIT,
  ]);
}

/** How much each pixel follows the head's motion, at most `most` of 255. */
export function weightOf({ points, mm }: Head, most: number): Pixels {
  const chin = points[CHIN]![1];
  const weight = new Float32Array(SIZE * SIZE);
  for (let row = 0; row < SIZE; row++) {
    const share = ramp(chin + NECK.to * mm, chin + NECK.from * mm, row);
    weight.fill(most * share, row * SIZE, (row + 1) * SIZE);
  }
  blurPlane(weight, SIZE, SIZE, WEIGHT_SOFT);
  return { width: SIZE, height: SIZE, channels: 1, samples: Uint8Array.from(weight, Math.round) };
}
