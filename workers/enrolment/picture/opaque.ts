import type { Photo } from './photo.ts';

/** Light behind transparent pixels. */
const PAPER = 217;

/**
 * Lays the photo over paper, in place. If no pixel is opaque, the photo as a whole was made
 * transparent, which says nothing about it: its most opaque pixels count as opaque.
 */
export function madeOpaque(photo: Photo): Photo {
  const { values } = photo;
  let densest = 0;
  for (let at = 3; at < values.length && densest < 255; at += 4)
    densest = Math.max(densest, values[at]!);
  for (let at = 0; at < values.length; at += 4) {
    const alpha = values[at + 3]!;
    if (alpha === 255) continue;
    const share = densest === 0 ? 0 : alpha / densest;
    for (let channel = at; channel < at + 3; channel++) {
      values[channel] = Math.round(PAPER + share * (values[channel]! - PAPER));
    }
    values[at + 3] = 255;
  }
  return photo;
}
