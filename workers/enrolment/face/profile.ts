import type { Point } from './face-points.ts';
import { clamp } from '../picture/raster.ts';

/** Heights over x from corner to corner, -1 to 1. */
export type Profile = Float64Array;

const STEPS = 128;

export const profile = (heightAt: (u: number) => number): Profile =>
  Float64Array.from({ length: STEPS + 1 }, (_, i) => heightAt((2 * i) / STEPS - 1));

export function heightAt(of: Profile, u: number): number {
  const place = clamp((u + 1) / 2, 0, 1) * STEPS;
  const index = Math.min(STEPS - 1, Math.floor(place));
  return of[index]! + (of[index + 1]! - of[index]!) * (place - index);
}

/** The smooth curve through points from left to right. `u` is -1 at `leftX` and 1 at `rightX`. */
export function profileThrough(points: Point[], leftX: number, rightX: number): Profile {
  const knots = rising(points);
  return profile((u) => curveAt(knots, leftX + ((u + 1) / 2) * (rightX - leftX)));
}

/**
 * Drops points that lie left of their predecessor: rows fold over when a face is seen from the
 * side.
 */
function rising(points: Point[]): Point[] {
  const risingPoints: Point[] = [];
  for (const point of points) {
    if (risingPoints.length === 0 || point[0] > risingPoints.at(-1)![0] + 0.5)
      risingPoints.push(point);
  }
  return risingPoints;
}

/** Cubic pieces; the slope at a point is the slope between its neighbours. */
function curveAt(points: Point[], x: number): number {
  const index = points.findIndex((point) => point[0] >= x);
  const end = index === -1 ? points.length - 1 : Math.max(1, index);
  const [from, to] = [points[end - 1]!, points[end]!];
  const width = to[0] - from[0];
  const t = clamp((x - from[0]) / width, 0, 1);
  const out = slope(points[end - 2] ?? from, to) * width;
  const into = slope(from, points[end + 1] ?? to) * width;
  return (
    from[1] * (1 + t * t * (2 * t - 3)) +
    to[1] * t * t * (3 - 2 * t) +
    out * t * (1 - t) * (1 - t) +
    into * t * t * (t - 1)
  );
}

const slope = (from: Point, to: Point) => (to[1] - from[1]) / (to[0] - from[0]);
