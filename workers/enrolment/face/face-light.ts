import { EYES, LIPS, type Point } from './face-points.ts';
import type { Head } from './head-crop.ts';
import { measureLips } from '../mouth/lips.ts';
import { heightAt, profileThrough } from './profile.ts';
import { clamp, type Colour, colourAt, lightAt, lightOf, meanOf } from '../picture/raster.ts';

/** Lighting and softness that drawn parts of a face must match. */
export type FaceLight = {
  /** Colour of a white object in this light. */
  white: Colour;
  lip: Colour;
  /** Softness of the photo: one sigma, in bundle pixels. */
  softness: number;
};

/** The white of an eye is darker than paper. */
const WHITE_OF_EYE = 0.78;
const DARKEST = 92;
const BRIGHTEST = 245;
const WARM: Colour = [1.01, 1, 0.97];

export function measureLight(head: Head): FaceLight {
  const eyes = EYES.flatMap((eye) => pixelsBetween(head, eye.upper, eye.lower));
  const brightest = eyes.sort((a, b) => lightOf(b) - lightOf(a));
  const whites = brightest.slice(0, Math.max(1, Math.round(brightest.length * 0.18)));
  // Brightness only: irises and lids among these pixels would tint the colour.
  const bright = clamp(lightOf(meanOf(whites)) / WHITE_OF_EYE, DARKEST, BRIGHTEST);
  const white = WARM.map((share) => share * bright) as Colour;

  const lips = measureLips(head);
  const lip = meanOf(
    [-0.5, -0.25, 0, 0.25, 0.5].map((u) => {
      const y = (heightAt(lips.lowerInner, u) + heightAt(lips.lowerOuter, u)) / 2;
      return colourAt(head.picture, lips.middle + u * lips.halfWidth, y);
    }),
  );
  return { white, lip, softness: clamp(0.42 * head.scale, 0.5, 1.2) };
}

function pixelsBetween(head: Head, upper: readonly number[], lower: readonly number[]): Colour[] {
  const row = (indexes: readonly number[]) => indexes.map((index) => head.points[index]!);
  const [leftX, rightX] = [row(upper)[0]![0], row(upper).at(-1)![0]];
  const [top, bottom] = [row(upper), row(lower)].map((points: Point[]) =>
    profileThrough(points, leftX, rightX),
  );
  const colours: Colour[] = [];
  for (let x = Math.ceil(leftX); x <= rightX; x++) {
    const u = (2 * (x - leftX)) / (rightX - leftX) - 1;
    for (let y = heightAt(top!, u) + head.mm; y < heightAt(bottom!, u) - head.mm; y++) {
      colours.push(colourAt(head.picture, x, y));
    }
  }
  return colours.length > 0 ? colours : [colourAt(head.picture, leftX, row(upper)[0]![1])];
}

/** Whether mostly teeth show between open lips. */
export function showsTeeth(head: Head, { white }: FaceLight): boolean {
  const lips = measureLips(head);
  if (!lips.isOpen) return false;
  const middle = head.points[LIPS.upperInner[5]]![0];
  let bright = 0;
  for (let i = -10; i <= 10; i++) {
    const u = i / 20;
    const y = heightAt(lips.upperInner, u) * 0.6 + heightAt(lips.lowerInner, u) * 0.4;
    if (lightAt(head.picture, middle + u * lips.halfWidth, y) > 0.55 * lightOf(white)) bright++;
  }
  return bright > 10;
}
