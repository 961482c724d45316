import { type Canvas, createCanvas, loadImage } from '@napi-rs/canvas';
import { PictureError } from '../picture-error.ts';
import { readPictureHeader } from './picture-header.ts';

const SMALLEST_SIDE = 256;
const MOST_PIXELS = 40_000_000;
/** Colour behind transparent pixels. */
const PAPER = '#d9d9d9';

/**
 * The picture upright and opaque. Throws a PictureError without decoding if it is too large or not
 * a still picture.
 */
export async function decodePicture(bytes: Uint8Array): Promise<Canvas> {
  const header = readPictureHeader(bytes);
  if (!header) throw new PictureError('not_a_picture');
  if (header.isAnimated) throw new PictureError('animated');
  if (header.width * header.height > MOST_PIXELS) throw new PictureError('too_large');
  if (Math.min(header.width, header.height) < SMALLEST_SIDE) throw new PictureError('too_small');

  const image = await loadImage(bytes).catch((cause: unknown) => {
    throw new PictureError('not_a_picture', { cause });
  });
  // The decoder applies the EXIF rotation. Any other size than the checked one means a forged
  // header.
  const isAsSaid = image.width === header.width && image.height === header.height;
  const isTurned = image.width === header.height && image.height === header.width;
  if (!isAsSaid && !isTurned) throw new PictureError('not_a_picture');

  const canvas = createCanvas(image.width, image.height);
  const context = canvas.getContext('2d');
  context.fillStyle = PAPER;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0);
  return canvas;
}
