import { Network } from '../network/network.ts';
import { resize } from '../network/operations.ts';
import { tensor } from '../network/tensor.ts';
import { guided, type Mask } from './cut-out.ts';
import { OVAL } from '../face/face-points.ts';
import type { Head } from '../face/head-crop.ts';
import { ramp } from '../picture/raster.ts';

/** The model's input is a square of this side. */
const SIDE = 256;
/** Guided filter: radius in pixels, and how uniform an area must be to count as one object. */
const GUIDE = 5;
const EVENNESS = 0.002;
/** Weak detections in the background would leave a haze around the head. */
const DOUBTFUL = 0.25;
const SURE = 0.92;
/** A mask that misses more of the face than this belongs to another object. */
const FACE_MISSED = 0.04;

export type PersonModel = Network;

/** The person's pixels; null if the model finds none at the face. */
export function maskOf(
  { picture, points }: Pick<Head, 'picture' | 'points'>,
  model: PersonModel,
): Mask | null {
  const { width, height, values } = picture;
  const colours = tensor(height, width, 3);
  for (let i = 0; i < width * height; i++) {
    for (let channel = 0; channel < 3; channel++)
      colours.values[3 * i + channel] = values[4 * i + channel]! / 255;
  }
  const [rough] = model.run(resize(colours, SIDE, SIDE, false));
  const small = { height: SIDE, width: SIDE, channels: 1, values: rough! };
  const mask = resize(small, height, width, false).values;

  const missed = OVAL.filter((index) => {
    const [x, y] = points[index]!;
    return (mask[Math.round(y) * width + Math.round(x)] ?? 0) < 0.5;
  });
  if (missed.length > FACE_MISSED * OVAL.length) return null;
  return guided(mask, picture, GUIDE, EVENNESS).map((share) => ramp(DOUBTFUL, SURE, share));
}

const FOLDER = new URL('./selfie/', import.meta.url);

export const openPersonModel = (): Promise<PersonModel> =>
  Network.open(FOLDER, 'selfie', ['activation_10']);
