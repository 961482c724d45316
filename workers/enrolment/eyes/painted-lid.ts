import type { Area } from '../../bundle/pictures.ts';
import type { Head } from '../face/head-crop.ts';
import { cleanAt, LASHES, type Lid, type Outside, topOf, uAt } from './lid.ts';
import { heightAt } from '../face/profile.ts';
import { ramp } from '../picture/raster.ts';
import { fillSmoothly } from '../picture/smooth-fill.ts';

/** Millimetres of skin around the eye to sample. */
const AROUND = 7;

type PaintedLid = { area: Area; colour: Float32Array[]; cover: Float32Array };

/** Skin painted over the eye from the skin around it. `cover` is the mask. */
export function paintedLid({ picture, mm }: Head, lid: Lid, outside: Outside): PaintedLid {
  const reach = (side: Outside) => (side === outside ? LASHES.outside : LASHES.inside) * mm;
  const [leftX, rightX] = [lid.left - reach('left'), lid.right + reach('right')];
  const margin = AROUND * mm;
  const x = Math.floor(leftX - margin);
  const y = Math.floor(Math.min(...lid.underBrow) - 2);
  const width = Math.ceil(rightX + margin) - x;
  const height = Math.ceil(Math.max(...lid.lower) + LASHES.below * mm + margin) - y;
  const colour = [0, 1, 2].map(() => new Float32Array(width * height));
  const cover = new Float32Array(width * height);
  const knownMask = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const at = row * width + column;
      const from = 4 * ((y + row) * picture.width + x + column);
      for (let channel = 0; channel < 3; channel++) {
        colour[channel]![at] = picture.values[from + channel]!;
      }
      cover[at] = coverAt(lid, x + column, y + row, leftX, rightX, mm);
      const u = uAt(lid, x + column);
      knownMask[at] = Math.abs(u) <= 1 && Math.abs(y + row - cleanAt(lid, u)) <= 1 ? 1 : 0;
    }
  }
  fillSmoothly({ width, height, channels: colour, knownMask });
  return { area: { x, y, width, height }, colour, cover };
}

/**
 * The share of the eye and its lashes (rounded ends) in a pixel. Blends softly into the fold above.
 */
function coverAt(
  lid: Lid,
  x: number,
  y: number,
  leftX: number,
  rightX: number,
  mm: number,
): number {
  const u = uAt(lid, x);
  const beyond =
    x < lid.left ? (lid.left - x) / (lid.left - leftX) : (x - lid.right) / (rightX - lid.right);
  if (beyond >= 1) return 0;
  const round = Math.sqrt(1 - Math.max(0, beyond) ** 2);
  const upper = heightAt(lid.upper, u);
  const top = upper - (upper - topOf(lid, u, mm)) * round;
  const bottom = heightAt(lid.lower, u) + LASHES.below * mm * round;
  return ramp(1, 0, Math.max(0, beyond)) * ramp(-1, 1, y - top) * ramp(-1, 1.5, bottom - y);
}
