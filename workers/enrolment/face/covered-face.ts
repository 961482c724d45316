import { CHIN, EYES, LIPS, NOSE_TIP, type Point } from './face-points.ts';
import type { Head } from './head-crop.ts';
import { lidOf, uAt } from '../eyes/lid.ts';
import { heightAt } from './profile.ts';
import { type Colour, colourAt, hueApart, lightAt, lightOf, meanOf } from '../picture/raster.ts';

/*
 * Checks that eyes and mouth are visible. The landmark model guesses what a mask or dark glasses
 * hide and is just as confident about it, so the pixels are checked. A hand over the mouth is not
 * detected, because its skin looks like the face.
 */

/**
 * Relative to the face's light. An eye has a dark iris in its white, a mouth a dark line or teeth.
 * Less contrast means cloth or glass.
 */
const EYE_CONTRAST = 0.22;
const MOUTH_CONTRAST = 0.09;
/**
 * In 0..255. Skin has one hue. A beard may darken the lower face, but does not change the hue of
 * bright pixels.
 */
const OTHER_HUE = 17;
const AS_BRIGHT = 0.8;

/**
 * Sample points: always skin (below the eyes, on the nose), and covered by masks (beside the mouth,
 * on the chin).
 */
export const UPPER_SKIN = [50, 280, 197, 101, 330];
const LOWER_SKIN = [212, 432, 199, 210, 430];

export function isCovered(head: Head): boolean {
  const skin = meanOf(UPPER_SKIN.map((index) => around(head, head.points[index]!)));
  const light = lightOf(skin);
  if (EYES.some((eye) => eyeContrast(head, eye) < EYE_CONTRAST * light)) return true;
  if (mouthContrast(head) < MOUTH_CONTRAST * light) return true;
  const otherHues = LOWER_SKIN.map((index) => around(head, head.points[index]!)).filter(
    (colour) => lightOf(colour) > AS_BRIGHT * light && hueApart(colour, skin) > OTHER_HUE,
  );
  return otherHues.length > LOWER_SKIN.length / 2;
}

function eyeContrast(head: Head, eye: (typeof EYES)[number]): number {
  const lid = lidOf(head.points, eye);
  const lights: number[] = [];
  for (let x = lid.left + head.mm; x < lid.right - head.mm; x++) {
    const u = uAt(lid, x);
    for (let y = heightAt(lid.upper, u); y < heightAt(lid.lower, u); y++) {
      lights.push(lightAt(head.picture, x, y));
    }
  }
  return rangeOf(lights);
}

/** Down the middle of the face, from the nose to the chin. */
function mouthContrast({ points, picture, mm }: Head): number {
  const [nose, chin] = [points[NOSE_TIP]!, points[CHIN]!];
  const [top, bottom] = [points[LIPS.upperOuter[5]]!, points[LIPS.lowerOuter[5]]!];
  const lights: number[] = [];
  for (let y = top[1] - 2 * mm; y < bottom[1] + 2 * mm; y++) {
    const share = (y - nose[1]) / (chin[1] - nose[1]);
    lights.push(lightAt(picture, nose[0] + share * (chin[0] - nose[0]), y));
  }
  return rangeOf(lights);
}

/** Contrast between the darkest and the brightest, ignoring a few outliers at both ends. */
function rangeOf(values: number[]): number {
  const sorted = values.sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  return at(0.96) - at(0.04);
}

/** Mean colour within a few millimetres of a point. */
export function around({ picture, mm }: Head, [x, y]: Point): Colour {
  const colours: Colour[] = [];
  for (let down = -2; down <= 2; down++) {
    for (let across = -2; across <= 2; across++) {
      colours.push(colourAt(picture, x + across * mm, y + down * mm));
    }
  }
  return meanOf(colours);
}
