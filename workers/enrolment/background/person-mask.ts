import { readFile } from 'node:fs/promises';
import { image, type Tensor, tensor4d, type Tensor4D } from '@tensorflow/tfjs-core';
import { type GraphModel, loadGraphModel } from '@tensorflow/tfjs-converter';
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

export type PersonModel = GraphModel;

/** The person's pixels; null if the model finds none at the face. */
export async function maskOf(
  { picture, points }: Pick<Head, 'picture' | 'points'>,
  model: PersonModel,
): Promise<Mask | null> {
  const { width, height, values } = picture;
  const rgb = new Float32Array(3 * width * height);
  for (let i = 0; i < width * height; i++) {
    for (let channel = 0; channel < 3; channel++) {
      rgb[3 * i + channel] = values[4 * i + channel]! / 255;
    }
  }
  const whole = tensor4d(rgb, [1, height, width, 3]);
  const small = image.resizeBilinear(whole, [SIDE, SIDE]);
  const rough = model.execute(small) as Tensor4D;
  const sized = image.resizeBilinear(rough, [height, width]);
  const mask = (await sized.data()) as Float32Array;
  for (const tensor of [whole, small, rough, sized] satisfies Tensor[]) tensor.dispose();

  const missed = OVAL.filter((index) => {
    const [x, y] = points[index]!;
    return (mask[Math.round(y) * width + Math.round(x)] ?? 0) < 0.5;
  });
  if (missed.length > FACE_MISSED * OVAL.length) return null;
  return guided(mask, picture, GUIDE, EVENNESS).map((share) => ramp(DOUBTFUL, SURE, share));
}

const FOLDER = new URL('./selfie/', import.meta.url);

/** Requires an opened FaceFinder, which starts the engine. */
export async function openPersonModel(): Promise<PersonModel> {
  const { format, modelTopology, weightsManifest } = JSON.parse(
    await readFile(new URL('selfie.json', FOLDER), 'utf8'),
  );
  const weights = await readFile(new URL('selfie.bin', FOLDER));
  const load = async () => ({
    format,
    modelTopology,
    weightSpecs: weightsManifest[0].weights,
    weightData: new Uint8Array(weights).buffer,
  });
  return loadGraphModel({ load });
}
