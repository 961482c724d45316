import openLibHeif from 'libheif-js/libheif-wasm/libheif-bundle.mjs';
import { PictureError } from '../picture-error.ts';
import type { Photo } from './photo.ts';

/**
 * The main picture of a HEIC file, upright: the decoder turns it. `check` judges its size before
 * it is decoded, and throws.
 */
export async function decodeHeic(
  bytes: Uint8Array,
  check: (size: { width: number; height: number }) => void,
): Promise<Photo> {
  const { HeifDecoder } = openLibHeif();
  const images = new HeifDecoder().decode(bytes);
  const image = images.find((candidate) => candidate.is_primary()) ?? images[0];
  if (!image) throw new PictureError('damaged');
  const [width, height] = [image.get_width(), image.get_height()];
  check({ width, height });
  const values = new Uint8ClampedArray(4 * width * height);
  const pixels = await new Promise((resolve) =>
    image.display({ width, height, data: values }, resolve),
  );
  if (!pixels) throw new PictureError('damaged');
  return { width, height, values: new Uint8Array(values.buffer) };
}
