import type { PictureProblem } from '#protocol/pictures/picture-problems.ts';
import { type Photo, placed } from '../picture/photo.ts';
import type { Raster } from '../picture/raster.ts';
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
  const { width } = picture;
  const light = lightsOf(picture);
  const lights: number[] = [];
  const steps: number[] = [];
  for (let y = box.top; y < box.bottom; y++) {
    for (let x = box.left; x < box.right; x++) {
      const place = y * width + x;
      lights.push(light[place]!);
      if (x - REACH < box.left || x + REACH >= box.right) continue;
      if (y - REACH < box.top || y + REACH >= box.bottom) continue;
      const across = light[place + REACH]! - light[place - REACH]!;
      const down = light[place + REACH * width]! - light[place - REACH * width]!;
      steps.push(Math.max(Math.abs(across), Math.abs(down)));
    }
  }
  const sorted = Float32Array.from(lights).sort();
  const highlight = at(sorted, 0.98);
  const range = highlight - at(sorted, 0.02);
  if (range < ONE_COLOUR) return null;
  if (highlight < DARKEST_HIGHLIGHT) return 'too_dark';
  if (lights.filter((value) => value >= WHITE).length > MOST_WHITE * lights.length) {
    return 'too_bright';
  }
  if (range < LEAST_RANGE) return 'low_contrast';
  return at(Float32Array.from(steps).sort(), 0.99) < LEAST_STEEPNESS * range ? 'blurred' : null;
}

/** The light of each pixel. */
function lightsOf({ width, height, values }: Raster): Float32Array {
  const lights = new Float32Array(width * height);
  for (let i = 0; i < lights.length; i++) {
    lights[i] = 0.299 * values[4 * i]! + 0.587 * values[4 * i + 1]! + 0.114 * values[4 * i + 2]!;
  }
  return lights;
}

/** The value below which this share of the values lies. */
const at = (sorted: Float32Array, share: number): number =>
  sorted[Math.round(share * (sorted.length - 1))] ?? 0;
