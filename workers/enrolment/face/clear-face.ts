import type { PictureProblem } from '#protocol/pictures/picture-problems.ts';
import { type Photo, placed } from '../picture/photo.ts';
import { lightAt, type Raster } from '../picture/raster.ts';
import { OVAL } from './face-points.ts';
import type { Head } from './head-crop.ts';

/*
 * Checks that light and focus show the face. Without this check, an avatar of an
 * unclear face would be built, because the landmark model guesses the parts that it cannot see.
 */

/** The brightest part of a face, of any skin, in less than a quarter of a usual light. */
const DARKEST_HIGHLIGHT = 56;
/** Share of pixels without any drawing, because they are white. */
const MOST_WHITE = 0.4;
const WHITE = 250;
const LEAST_RANGE = 48;
/** Below this, a picture is of one colour, which is no matter of light. */
const ONE_COLOUR = 3;
/** Steepest change of light between pixels `REACH` to both sides, as a share of the range. */
const LEAST_STEEPNESS = 0.24;
const REACH = 3;

/** Side of the picture in which the light of a whole photo is judged. */
const WHOLE_SIDE = 768;
const WHOLE = { width: WHOLE_SIDE, height: WHOLE_SIDE };

type Box = { left: number; top: number; right: number; bottom: number };

/** Why the face cannot be recognized, or null. */
export function unclearHead({ picture, points }: Head): PictureProblem | null {
  const [across, down] = [0, 1].map((axis) => OVAL.map((index) => points[index]![axis]!));
  return unclearPart(picture, {
    left: Math.max(0, Math.round(Math.min(...across!))),
    top: Math.max(0, Math.round(Math.min(...down!))),
    right: Math.min(picture.width, Math.max(...across!)),
    bottom: Math.min(picture.height, Math.max(...down!)),
  });
}

/** Why no face may have been recognized in the photo, or null. */
export function unclearPhoto(photo: Photo): PictureProblem | null {
  const scale = WHOLE_SIDE / Math.max(photo.width, photo.height);
  const picture = placed(photo, WHOLE, { from: [0, 0], to: [0, 0], scale });
  return unclearPart(picture, {
    left: 0,
    top: 0,
    right: Math.floor(scale * photo.width),
    bottom: Math.floor(scale * photo.height),
  });
}

function unclearPart(picture: Raster, box: Box): PictureProblem | null {
  const lights: number[] = [];
  const steps: number[] = [];
  for (let y = box.top; y < box.bottom; y++) {
    for (let x = box.left; x < box.right; x++) {
      lights.push(lightAt(picture, x, y));
      if (x - REACH < box.left || x + REACH >= box.right) continue;
      if (y - REACH < box.top || y + REACH >= box.bottom) continue;
      const across = lightAt(picture, x + REACH, y) - lightAt(picture, x - REACH, y);
      const down = lightAt(picture, x, y + REACH) - lightAt(picture, x, y - REACH);
      steps.push(Math.max(Math.abs(across), Math.abs(down)));
    }
  }
  const highlight = at(lights, 0.98);
  const range = highlight - at(lights, 0.02);
  if (range < ONE_COLOUR) return null;
  if (highlight < DARKEST_HIGHLIGHT) return 'too_dark';
  if (lights.filter((light) => light >= WHITE).length > MOST_WHITE * lights.length) {
    return 'too_bright';
  }
  if (range < LEAST_RANGE) return 'low_contrast';
  return at(steps, 0.99) < LEAST_STEEPNESS * range ? 'blurred' : null;
}

/** The value below which this share of the values lies. */
function at(values: number[], share: number): number {
  const sorted = Float32Array.from(values).sort();
  return sorted[Math.round(share * (sorted.length - 1))] ?? 0;
}
