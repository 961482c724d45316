import type { Area } from '../../bundle/pictures.ts';
import { LIPS } from '../face/face-points.ts';
import type { Head } from '../face/head-crop.ts';
import { heightAt, profileThrough } from '../face/profile.ts';
import { ramp, sample } from '../picture/raster.ts';

/** Pixels at the opening's edge that are tinted by the lips. */
const EDGE = 1.6;
/** Light in the mouth is red. */
const SHADE_TINT = [0.88, 1.02, 1.06];

/**
 * Draws the photo's own upper teeth over the drawn mouth. They move with the head, so they keep
 * their place. Behind a lip higher than the smile's they are extended upward. `visibility` is their
 * opacity and `shade` their darkness, 0..1.
 */
export function layPictureTeeth(
  head: Head,
  visibility: number,
  shade: number,
  area: Area,
  into: Float32Array,
) {
  const row = (indexes: readonly number[]) => indexes.map((index) => head.points[index]!);
  const [upper, lower] = [row(LIPS.upperInner), row(LIPS.lowerInner)];
  const [leftX, rightX] = [upper[0]![0], upper.at(-1)![0]];
  const top = profileThrough(upper, leftX, rightX);
  const bottom = profileThrough(lower, leftX, rightX);
  const colour = new Float32Array(4);
  for (let column = 0; column < area.width; column++) {
    const x = area.x + column;
    const u = (2 * (x - leftX)) / (rightX - leftX) - 1;
    if (Math.abs(u) >= 1) continue;
    const topY = heightAt(top, u) + EDGE;
    const bottomY = heightAt(bottom, u) - EDGE;
    const wide = ramp(0.4, 3, bottomY - topY) * ramp(1, 0.94, Math.abs(u));
    if (wide <= 0) continue;
    for (let row = 0; row < area.height; row++) {
      const y = area.y + row;
      if (y > bottomY + 1) break;
      const share = visibility * wide * ramp(bottomY + 1, bottomY - 1, y);
      const at = 4 * (row * area.width + column);
      if (into[at + 3] === 0) continue;
      sample(head.picture, x, Math.max(topY, y), colour);
      for (let channel = 0; channel < 3; channel++) {
        const tooth = colour[channel]! * (1 - shade * SHADE_TINT[channel]!);
        into[at + channel] = into[at + channel]! + (tooth - into[at + channel]!) * share;
      }
    }
  }
}
