import sharp from 'sharp';
import { PictureError } from '../picture-error.ts';
import type { Photo } from './photo.ts';
import { readPictureHeader } from './picture-header.ts';

const SMALLEST_SIDE = 256;
const MOST_PIXELS = 40_000_000;
/** Colour behind transparent pixels. */
const PAPER = '#d9d9d9';

/**
 * The picture upright and opaque. Throws a PictureError without decoding if it is too large or not
 * a still picture.
 */
export async function decodePicture(bytes: Uint8Array): Promise<Photo> {
  const header = readPictureHeader(bytes);
  if (!header) throw new PictureError('not_a_picture');
  if (header.isAnimated) throw new PictureError('animated');
  if (header.width * header.height > MOST_PIXELS) throw new PictureError('too_large');
  if (Math.min(header.width, header.height) < SMALLEST_SIDE) throw new PictureError('too_small');

  const { data, info } = await sharp(bytes, { failOn: 'error', limitInputPixels: MOST_PIXELS })
    .autoOrient()
    .flatten({ background: PAPER })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch((cause: unknown) => {
      throw new PictureError('not_a_picture', { cause });
    });
  // The decoder applies the EXIF rotation. Any other size than the checked one means a forged
  // header.
  const isAsSaid = info.width === header.width && info.height === header.height;
  const isTurned = info.width === header.height && info.height === header.width;
  if (!isAsSaid && !isTurned) throw new PictureError('not_a_picture');
  return { width: info.width, height: info.height, values: data };
}
