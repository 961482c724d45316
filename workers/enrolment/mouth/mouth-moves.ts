import type { Area } from '../../bundle/pictures.ts';
import { CHIN, JAW, NOSE_TIP, type Point, UNDER_NOSE } from '../face/face-points.ts';
import { areaBetween, type Head } from '../face/head-crop.ts';
import type { Lips, MeasuredLips } from './lips.ts';
import type { MouthShape } from './mouth-shape.ts';
import { heightAt, profileThrough } from '../face/profile.ts';
import { clamp } from '../picture/raster.ts';
import { fillSmoothly } from '../picture/smooth-fill.ts';

/*
 * Source positions for the skin around a mouth. The lips are known exactly, the chin moves with the
 * jaw, the nose and the region's border stay. Skin in between is a membrane, so cheeks follow
 * without tears.
 */

/** For each pixel of the area: its source position in the picture, relative to its own. */
type Moves = { area: Area; dx: Float32Array; dy: Float32Array };

/**
 * Millimetres around the face that may move: beside the jaw, and below the chin with the jaw wide
 * open.
 */
const BESIDE = 12;
const BELOW = 32;
/** The part of the chin with bone under the skin. */
const CHIN_BONE = { above: 8, across: 10, down: 6 };
/** The jaw turns in front of the ears: skin near them hardly moves. */
const HINGE = 1.5;

/** The union of all areas that mouths change. */
export function mouthArea({ points, mm }: Head): Area {
  const across = JAW.map((index) => points[index]![0]);
  return areaBetween(
    Math.min(...across) - BESIDE * mm,
    points[NOSE_TIP]![1],
    Math.max(...across) + BESIDE * mm,
    points[CHIN]![1] + BELOW * mm,
  );
}

export function mouthMoves(
  { points, mm }: Head,
  lips: MeasuredLips,
  shape: MouthShape,
  area: Area,
): Moves {
  const { width, height } = area;
  const dx = new Float32Array(width * height);
  const dy = new Float32Array(width * height);
  const knownMask = new Uint8Array(width * height);
  const know = (x: number, y: number, across: number, down: number) => {
    const [column, row] = [Math.round(x) - area.x, Math.round(y) - area.y];
    if (column < 0 || row < 0 || column >= width || row >= height) return;
    const at = row * width + column;
    knownMask[at] = 1;
    dx[at] = across;
    dy[at] = down;
  };

  holdBorder(area, know);
  holdNose(points, area, mm, know);
  moveJaw(points, shape.chin, mm, know);
  for (let column = 0; column < width; column++) {
    const x = area.x + column;
    const u = (x - shape.middle) / shape.halfWidth;
    if (Math.abs(u) > 1) continue;
    const across = lips.middle + u * lips.halfWidth - x;
    const lastRow = Math.ceil(heightAt(shape.lowerOuter, u));
    for (let y = Math.floor(heightAt(shape.upperOuter, u)); y <= lastRow; y++) {
      know(x, y, across, sourceOf(lips, shape, u, y) - y);
    }
  }
  fillSmoothly({ width, height, channels: [dx, dy], knownMask });
  return { area, dx, dy };
}

type Know = (x: number, y: number, across: number, down: number) => void;

function holdBorder({ x, y, width, height }: Area, know: Know) {
  for (let column = 0; column < width; column++) {
    know(x + column, y, 0, 0);
    know(x + column, y + height - 1, 0, 0);
  }
  for (let row = 0; row < height; row++) {
    know(x, y + row, 0, 0);
    know(x + width - 1, y + row, 0, 0);
  }
}

function holdNose(points: Point[], area: Area, mm: number, know: Know) {
  const row = UNDER_NOSE.map((index) => points[index]!);
  const [leftX, rightX] = [row[0]![0], row.at(-1)![0]];
  const under = profileThrough(row, leftX, rightX);
  for (let x = Math.ceil(leftX); x <= rightX; x++) {
    const bottom = heightAt(under, (2 * (x - leftX)) / (rightX - leftX) - 1) + 0.5 * mm;
    for (let y = area.y; y <= bottom; y++) know(x, y, 0, 0);
  }
}

function moveJaw(points: Point[], down: number, mm: number, know: Know) {
  const ears = (points[JAW[0]]![1] + points[JAW.at(-1)!]![1]) / 2;
  const chin = points[CHIN]!;
  const follows = (y: number) => clamp((y - ears) / (chin[1] - ears), 0, 1) ** HINGE;
  for (let i = 1; i < JAW.length; i++) {
    const [from, to] = [points[JAW[i - 1]!]!, points[JAW[i]!]!];
    const steps = 2 * Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]));
    for (let step = 0; step <= steps; step++) {
      const x = from[0] + ((to[0] - from[0]) * step) / steps;
      const y = from[1] + ((to[1] - from[1]) * step) / steps;
      know(x, y + down * follows(y), 0, -down * follows(y));
    }
  }
  const middle = chin[1] - CHIN_BONE.above * mm;
  for (let y = -CHIN_BONE.down * mm; y <= CHIN_BONE.down * mm; y++) {
    const reach = CHIN_BONE.across * mm * Math.sqrt(1 - (y / (CHIN_BONE.down * mm)) ** 2);
    for (let x = -reach; x <= reach; x++) know(chin[0] + x, middle + y + down, 0, -down);
  }
}

/**
 * The source height shown at `y`: lips stretch between their edges; in the gap the nearer edge is
 * used.
 */
function sourceOf(lips: MeasuredLips, shape: MouthShape, u: number, y: number): number {
  const upperInner = heightAt(shape.upperInner, u);
  const lowerInner = heightAt(shape.lowerInner, u);
  const isUpper = y < (upperInner + lowerInner) / 2;
  const [outer, inner] = isUpper
    ? (['upperOuter', 'upperInner'] as const)
    : (['lowerOuter', 'lowerInner'] as const);
  return stretched(lips, shape, outer, inner, u, y, isUpper ? 1 : -1);
}

/** Lips thinner than this, in pixels, are at a corner and not stretched. */
const THIN = 0.4;

function stretched(
  lips: Lips,
  shape: Lips,
  outer: 'upperOuter' | 'lowerOuter',
  inner: 'upperInner' | 'lowerInner',
  u: number,
  y: number,
  down: 1 | -1,
): number {
  const [fromOuter, fromInner] = [heightAt(lips[outer], u), heightAt(lips[inner], u)];
  const [toOuter, toInner] = [heightAt(shape[outer], u), heightAt(shape[inner], u)];
  const thickness = (toInner - toOuter) * down;
  if (thickness < THIN) return fromInner + clamp(y - toInner, -1, 1);
  const share = Math.min(1, ((y - toOuter) * down) / thickness);
  return fromOuter + share * (fromInner - fromOuter);
}
