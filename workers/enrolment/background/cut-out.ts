import { blurPlane } from '../picture/blur.ts';
import { clamp, ramp, type Raster, raster } from '../picture/raster.ts';
import { fillSmoothly } from '../picture/smooth-fill.ts';

/** The person's share of each pixel, 0..1. */
export type Mask = Float32Array;

/** Below: surely background. Above: surely the person. Hair lies between. */
const PERSON = 0.96;
const NOBODY = 0.02;
/** The model's outline is a few pixels wide. The known background starts this far from it. */
const AWAY = 5;
/** Below this share the person's own colour is too uncertain to recover. */
const TOO_LITTLE = 0.35;

/**
 * Separates the person (on transparency) from the background (with the person painted out). Outline
 * pixels mix both; the background's part is removed, otherwise a rim of it stays on the head.
 */
export function cutOut(picture: Raster, mask: Mask): { person: Raster; behind: Raster } {
  const wider = mask.slice();
  blurPlane(wider, picture.width, picture.height, AWAY);
  const behind = spreadFrom(picture, wider, (share) => share <= NOBODY);
  const solid = spreadFrom(picture, mask, (share) => share >= PERSON);
  const person = raster(picture.width, picture.height);
  mask.forEach((share, i) => {
    const sure = ramp(TOO_LITTLE, PERSON, share);
    for (let channel = 4 * i; channel < 4 * i + 3; channel++) {
      const alone =
        (picture.values[channel]! - (1 - share) * behind.values[channel]!) /
        Math.max(TOO_LITTLE, share);
      const near = solid.values[channel]!;
      person.values[channel] = clamp(near + (alone - near) * sure, 0, 255);
    }
    person.values[4 * i + 3] = 255 * share;
  });
  return { person, behind };
}

/** The picture where `isKnown`, extended smoothly over the rest. */
function spreadFrom(picture: Raster, mask: Mask, isKnown: (share: number) => boolean): Raster {
  const { width, height } = picture;
  const channels = [0, 1, 2].map((channel) =>
    Float32Array.from(mask, (_, i) => picture.values[4 * i + channel]!),
  );
  const knownMask = Uint8Array.from(mask, (share) => (isKnown(share) ? 1 : 0));
  fillSmoothly({ width, height, channels, knownMask });
  const spread = raster(width, height);
  for (let i = 0; i < mask.length; i++) {
    for (let channel = 0; channel < 3; channel++) {
      spread.values[4 * i + channel] = channels[channel]![i]!;
    }
    spread.values[4 * i + 3] = 255;
  }
  return spread;
}

/**
 * Snaps a rough mask to the edges of the picture: each pixel takes the value of similar neighbours.
 */
export function guided(mask: Mask, picture: Raster, sigma: number, evenness: number): Mask {
  const { width, height } = picture;
  const light = Float32Array.from(
    mask,
    (_, i) =>
      (0.299 * picture.values[4 * i]! +
        0.587 * picture.values[4 * i + 1]! +
        0.114 * picture.values[4 * i + 2]!) /
      255,
  );
  const mean = (values: Float32Array) => {
    blurPlane(values, width, height, sigma);
    return values;
  };
  const meanLight = mean(light.slice());
  const meanMask = mean(mask.slice());
  const meanProduct = mean(light.map((value, i) => value * mask[i]!));
  const square = mean(light.map((value) => value * value));
  const slope = meanProduct.map(
    (value, i) =>
      (value - meanLight[i]! * meanMask[i]!) /
      (square[i]! - meanLight[i]! * meanLight[i]! + evenness),
  );
  const offset = slope.map((value, i) => meanMask[i]! - value * meanLight[i]!);
  mean(slope);
  mean(offset);
  return light.map((value, i) => clamp(slope[i]! * value + offset[i]!, 0, 1));
}
