import type { Area } from '../../bundle/pictures.ts';
import { apart, EYES } from '../face/face-points.ts';
import type { Head } from '../face/head-crop.ts';
import { type Lid, lidOf, uAt } from './lid.ts';
import { heightAt } from '../face/profile.ts';
import { clamp, layOver, ramp, type Raster, sample } from '../picture/raster.ts';

/** How far an iris moves in a glance: millimetres, and share of the way to the corner. */
const GLANCE = 3.2;
const TO_CORNER = 0.62;
/** The rigid part: the iris with its dark rim. */
const RIM = 1.12;

/**
 * Moves both irises by `side` (-1 is far to the picture's left). The white stretches on one side
 * and shrinks on the other.
 */
export function turnEyes(head: Head, side: number, area: Area, into: Raster) {
  const irises = EYES.map((eye) => {
    const [middle, ...rim] = [0, 1, 2, 3, 4].map((i) => head.points[eye.iris + i]!);
    const radius = rim.reduce((sum, point) => sum + apart(point, middle!), 0) / rim.length;
    return { lid: lidOf(head.points, eye), x: middle![0], radius: RIM * radius };
  });
  // Both eyes move equally, otherwise they would not look at the same point.
  const room = Math.min(
    ...irises.map(({ lid, x, radius }) =>
      side < 0 ? x - radius - lid.left : lid.right - x - radius,
    ),
  );
  const far = side * clamp(TO_CORNER * room, 0, GLANCE * head.mm);
  for (const iris of irises) slide(head, iris, far, area, into);
}

type Iris = { lid: Lid; x: number; radius: number };

function slide(
  { picture }: Head,
  { lid, x: middle, radius }: Iris,
  by: number,
  area: Area,
  into: Raster,
) {
  const colour = new Float32Array(4);
  const [from, to] = [middle - radius, middle + radius];
  for (let x = Math.ceil(lid.left); x <= lid.right; x++) {
    const u = uAt(lid, x);
    const [upper, lower] = [heightAt(lid.upper, u), heightAt(lid.lower, u)];
    const source = cameFrom(x, [lid.left, from, to, lid.right], by);
    for (let y = Math.floor(upper); y <= lower; y++) {
      const share = ramp(0, 1.8, Math.min(y - upper, lower - y, x - lid.left, lid.right - x));
      if (share <= 0) continue;
      sample(picture, source, y, colour);
      layOver(into, area, x, y, colour, share);
    }
  }
}

/** Between the fixed corners and the rigid iris. */
function cameFrom(x: number, [left, from, to, right]: number[], by: number): number {
  if (x < from! + by) return stretch(x, left!, from! + by, left!, from!);
  if (x > to! + by) return stretch(x, to! + by, right!, to!, right!);
  return x - by;
}

function stretch(x: number, start: number, end: number, toStart: number, toEnd: number): number {
  if (end - start < 0.5) return toStart;
  return toStart + ((x - start) / (end - start)) * (toEnd - toStart);
}
