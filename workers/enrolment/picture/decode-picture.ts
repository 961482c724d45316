import sharp, { type Metadata } from 'sharp';
import { type PictureKind, recognize } from '#protocol/pictures/picture-kinds.ts';
import { readPictureHeader } from '#protocol/pictures/picture-header.ts';
import { PictureError } from '../picture-error.ts';
import { decodeHeic } from './decode-heic.ts';
import { cropped, intactShare } from './intact-part.ts';
import { madeOpaque } from './opaque.ts';
import type { Photo } from './photo.ts';
import { filledUp } from './picture-end.ts';
import { decodeUpright, LENIENT, pixelsOf, type PictureFile, STRICT } from './picture-file.ts';
import { checkSize, type PictureShape, shrinkOf } from './picture-size.ts';

export type DecodedPicture = Photo & {
  /** Whether a part of the file is missing or unreadable. The photo is without this part. */
  isIncomplete: boolean;
};

const SMALLEST_PART = 128;

/**
 * The picture upright and opaque; the first of several; smaller if it is very large. Throws a
 * PictureError for other kinds, and for pictures that need too much memory, before decoding them.
 */
export async function decodePicture(bytes: Uint8Array): Promise<DecodedPicture> {
  const recognized = recognize(bytes);
  if ('problem' in recognized) throw new PictureError(recognized.problem);
  const { kind } = recognized;
  if (kind === 'heic') return { ...(await readHeic(bytes)), isIncomplete: false };

  const file = await open(kind, filledUp(kind, bytes));
  const isCut = file.bytes !== bytes;
  const whole = isCut ? null : await decodeUpright(file, STRICT).catch(() => null);
  if (whole) return { ...madeOpaque(whole), isIncomplete: false };

  const share = await intactShare(file, bytes).catch(notPicture);
  const lenient = await decodeUpright(file, LENIENT).catch(notPicture);
  const photo = cropped(lenient, file.orientation, share);
  if (Math.min(photo.width, photo.height) < SMALLEST_PART) throw new PictureError('damaged');
  return { ...madeOpaque(photo), isIncomplete: share < 1 };
}

async function open(kind: Exclude<PictureKind, 'heic'>, bytes: Uint8Array): Promise<PictureFile> {
  const isChecked = kind === 'jpeg' || kind === 'png' || kind === 'webp';
  const header = isChecked ? readPictureHeader(kind, bytes) : null;
  if (header) checkSize({ ...header, kind, sampleBytes: 0, isProgressive: false });
  else if (isChecked) throw new PictureError('not_a_picture');
  const metadata = await sharp(bytes, LENIENT).metadata().catch(notPicture);
  const shape = shapeOf(kind, metadata);
  // A decoder that sees another size than the checked one was given a forged header.
  const isAsSaid = !header || (shape.width === header.width && shape.height === header.height);
  if (!isAsSaid) throw new PictureError('not_a_picture');
  checkSize(shape);
  return { bytes, shape, orientation: metadata.orientation ?? 1 };
}

const BYTES_OF_DEPTH: Partial<Record<string, number>> = { uchar: 1, char: 1, ushort: 2, short: 2 };

function shapeOf(kind: PictureKind, metadata: Metadata): PictureShape {
  const { width, height, channels, depth, isProgressive, chromaSubsampling } = metadata;
  const bytes = channels * (BYTES_OF_DEPTH[depth] ?? 8);
  // With half the colours in both directions, a pixel has half the samples.
  const sampleBytes = chromaSubsampling === '4:2:0' ? bytes / 2 : bytes;
  return { kind, width, height, sampleBytes, isProgressive: isProgressive ?? false };
}

async function readHeic(bytes: Uint8Array): Promise<Photo> {
  const photo = await decodeHeic(bytes, (size) =>
    checkSize({ ...size, kind: 'heic', sampleBytes: 4, isProgressive: false }),
  );
  if (shrinkOf(photo) === 1) return madeOpaque(photo);
  const { width, height, values } = photo;
  const raw = { width, height, channels: 4 } as const;
  return madeOpaque(await pixelsOf(sharp(values, { raw, ...LENIENT }), photo));
}

function notPicture(cause: unknown): never {
  throw new PictureError('not_a_picture', { cause });
}
