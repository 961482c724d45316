import { EYES, type Point } from '../face/face-points.ts';
import { heightAt, type Profile, profileThrough } from '../face/profile.ts';

/** The eye's opening from corner to corner, and the brow above it. */
export type Lid = {
  left: number;
  right: number;
  upper: Profile;
  lower: Profile;
  underBrow: Profile;
};

/** The corner away from the nose. */
export type Outside = 'left' | 'right';

/** Millimetres by which lashes and eyelid make-up reach beyond the eye's opening. */
export const LASHES = { above: 7, below: 1.3, outside: 5, inside: 2.4 };
/**
 * A closed lid copies the skin at this share of the way to the brow: the fold's shadow is below,
 * hair above.
 */
const TO_BROW = 0.75;

export function lidOf(points: Point[], eye: (typeof EYES)[number]): Lid {
  const row = (indexes: readonly number[]) => indexes.map((index) => points[index]!);
  const [leftX, rightX] = [points[eye.upper[0]]![0], points[eye.upper[8]]![0]];
  return {
    left: leftX,
    right: rightX,
    upper: profileThrough(row(eye.upper), leftX, rightX),
    lower: profileThrough(row(eye.lower), leftX, rightX),
    underBrow: profileThrough(row(eye.underBrow), leftX, rightX),
  };
}

/** -1 to 1 from corner to corner, and continuing beyond. */
export const uAt = ({ left, right }: Lid, x: number) => (2 * (x - left)) / (right - left) - 1;

/** The height of clean skin, between the eye's shadow and the brow. */
export function cleanAt(lid: Lid, u: number): number {
  const upper = heightAt(lid.upper, u);
  return upper - TO_BROW * (upper - heightAt(lid.underBrow, u));
}

/** Where the upper lid's skin starts to move. */
export const topOf = (lid: Lid, u: number, mm: number) =>
  Math.max(heightAt(lid.upper, u) - LASHES.above * mm, cleanAt(lid, u));
