import type { PictureKind } from '#protocol/pictures/picture-kinds.ts';
import { PictureError } from '../picture-error.ts';

const SMALLEST_SIDE = 256;
/** A larger picture is decoded smaller. */
const MOST_PIXELS = 40_000_000;
/** Bounds the time that decoding takes. */
export const MOST_PIXELS_READ = 260_000_000;
/** The most that a decoder may hold of a picture before it is made smaller. */
const DECODER_BYTES = 768 * 1024 ** 2;

type PictureSize = { width: number; height: number };

/** The facts of the header that decide how much memory a decoder takes. */
export type PictureShape = PictureSize & {
  kind: PictureKind;
  /** Bytes of a pixel's samples. */
  sampleBytes: number;
  /** Later parts of the file refine the whole picture, so the decoder holds all of it. */
  isProgressive: boolean;
};

/** Throws a PictureError before anything is decoded. */
export function checkSize(shape: PictureShape): void {
  const { width, height } = shape;
  if (Math.min(width, height) < SMALLEST_SIDE) throw new PictureError('too_small');
  const pixels = width * height;
  if (pixels > MOST_PIXELS_READ || pixels * bytesHeld(shape) > DECODER_BYTES) {
    throw new PictureError('too_large');
  }
}

/** Bytes for each pixel that a decoder holds of a whole picture. */
function bytesHeld({ kind, sampleBytes, isProgressive }: PictureShape): number {
  switch (kind) {
    case 'jpeg':
      // Coefficients of two bytes.
      return isProgressive ? 2 * sampleBytes : 0;
    case 'png':
      return isProgressive ? sampleBytes : 0;
    case 'webp':
      return 4;
    case 'gif':
      return 8;
    case 'tiff':
      return sampleBytes;
    case 'heic':
    case 'avif':
      // Planes of up to 16 bits, and what they are converted to.
      return 12;
  }
}

/** By how much a picture is decoded smaller: a power of two, which costs a JPEG decoder nothing. */
export function shrinkOf({ width, height }: PictureSize): number {
  let shrink = 1;
  while ((width * height) / shrink ** 2 > MOST_PIXELS) shrink *= 2;
  return shrink;
}
