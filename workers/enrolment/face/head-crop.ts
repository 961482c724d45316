import type { Area } from '../../bundle/pictures.ts';
import { apart, between, eyesAndMouth, LEFT_EDGE, type Point, RIGHT_EDGE } from './face-points.ts';
import { blurRaster } from '../picture/blur.ts';
import { type Photo, placed } from '../picture/photo.ts';
import { clamp, ramp, type Raster, raster } from '../picture/raster.ts';
import { fillSmoothly } from '../picture/smooth-fill.ts';

export const SIZE = 512;
const WHOLE = { width: SIZE, height: SIZE };

/** The head: upright, in bundle size, with its landmarks. */
export type Head = {
  picture: Raster;
  points: Point[];
  /** Bundle pixels per picture pixel. */
  scale: number;
  /** Pixels per millimetre of the face. */
  mm: number;
};

/** Eye position and face width, as in the built-in avatars. */
const EYES_AT = { x: 256, y: 232 };
const FACE_WIDTH = 205;
/** Distance between the pupils of an adult, in millimetres. */
const EYES_APART_MM = 63;
/**
 * If the picture ends near the head, the crop is closer and the face shifts from its place by up to
 * this.
 */
const CLOSEST = 1.4;
const CLOSER = 1.05;
const MOST_ASIDE = 36;
const HIGHEST_EYES = 170;
const LOWEST_EYES = 262;

const even = (value: number) => 2 * Math.round(clamp(value, 0, SIZE) / 2);

/** The part of the picture between these edges, in pairs of pixels. */
export function areaBetween(leftX: number, topY: number, rightX: number, bottomY: number): Area {
  const [x, y] = [even(leftX), even(topY)];
  return { x, y, width: even(rightX) - x, height: even(bottomY) - y };
}

export function cropHead(picture: Photo, points: Point[]): Head {
  const { leftEye, rightEye } = eyesAndMouth(points);
  const eyes = between(leftEye, rightEye);
  const roll = Math.atan2(rightEye[1] - leftEye[1], rightEye[0] - leftEye[0]);
  const base = FACE_WIDTH / apart(points[LEFT_EDGE]!, points[RIGHT_EDGE]!);

  let place = placeOf(picture, eyes, roll, base);
  for (let closer = CLOSER; !place.fits && closer <= CLOSEST; closer *= CLOSER) {
    place = placeOf(picture, eyes, roll, base * closer);
  }
  const to = [place.x, place.y] as const;
  const crop = placed(picture, WHOLE, { from: eyes, to, scale: place.scale, angle: roll });

  const [cos, sin] = [Math.cos(roll), Math.sin(roll)];
  const moved = ([x, y, z]: Point): Point => {
    const [across, down] = [(x - eyes[0]) * place.scale, (y - eyes[1]) * place.scale];
    return [
      place.x + cos * across + sin * down,
      place.y - sin * across + cos * down,
      z * place.scale,
    ];
  };
  return {
    picture: sharpened(opaque(crop), place.scale),
    points: points.map(moved),
    scale: place.scale,
    // Include depth: an eye that is turned away seems nearer to the other.
    mm:
      (Math.hypot(apart(leftEye, rightEye), rightEye[2] - leftEye[2]) * place.scale) /
      EYES_APART_MM,
  };
}

type Place = { x: number; y: number; scale: number; fits: boolean };

/** Position of the eyes that keeps the crop within the picture as far as possible. */
function placeOf(picture: Photo, eyes: Point, roll: number, scale: number): Place {
  const [cos, sin] = [Math.abs(Math.cos(roll)), Math.abs(Math.sin(roll))];
  // How far the upright picture reaches from the eyes in each direction. Its corners may be
  // missing.
  const reach = {
    left: eyes[0] * scale * cos,
    right: (picture.width - eyes[0]) * scale * cos,
    up: eyes[1] * scale * cos,
    down: (picture.height - eyes[1]) * scale * cos,
  };
  const slack = 0.5 * SIZE * sin;
  const x = clamp(
    Math.min(reach.left, Math.max(EYES_AT.x, SIZE - reach.right)),
    EYES_AT.x - MOST_ASIDE,
    EYES_AT.x + MOST_ASIDE,
  );
  const y = clamp(
    Math.min(reach.up, Math.max(EYES_AT.y, SIZE - reach.down)),
    HIGHEST_EYES,
    LOWEST_EYES,
  );
  const missing = Math.max(
    x - reach.left,
    SIZE - x - reach.right,
    y - reach.up,
    SIZE - y - reach.down,
  );
  return { x, y, scale, fits: missing <= 1 + slack };
}

/** Outside the picture, its border pixels repeat. */
function opaque({ values }: Raster): Raster {
  const channels = [0, 1, 2].map((channel) =>
    Float32Array.from({ length: SIZE * SIZE }, (_, i) => values[4 * i + channel]!),
  );
  const knownMask = Uint8Array.from({ length: SIZE * SIZE }, (_, i) =>
    values[4 * i + 3] === 255 ? 1 : 0,
  );
  fillSmoothly({ width: SIZE, height: SIZE, channels, knownMask });
  const picture = raster(SIZE, SIZE);
  for (let i = 0; i < SIZE * SIZE; i++) {
    for (let channel = 0; channel < 3; channel++) {
      picture.values[4 * i + channel] = channels[channel]![i]!;
    }
    picture.values[4 * i + 3] = 255;
  }
  return picture;
}

/** Share of the detail lost by resampling that sharpening restores. More would show grain. */
const SHARPER = 0.7;

/** Sharpens an enlarged picture. */
function sharpened(picture: Raster, scale: number): Raster {
  const amount = SHARPER * ramp(1, 2.5, scale);
  if (amount === 0) return picture;
  const soft: Raster = { ...picture, values: picture.values.slice() };
  blurRaster(soft, 0.6 * scale);
  picture.values.forEach((value, i) => {
    picture.values[i] = clamp(value + amount * (value - soft.values[i]!), 0, 255);
  });
  return picture;
}
