import sharp, { type Sharp, type SharpOptions } from 'sharp';
import type { Photo } from './photo.ts';
import { MOST_PIXELS_READ, type PictureShape, shrinkOf } from './picture-size.ts';

/** A picture as a decoder reads it. */
export type PictureFile = {
  bytes: Uint8Array;
  shape: PictureShape;
  /** As in EXIF: 1 to 8. */
  orientation: number;
};

/** Stops at whatever a decoder finds odd, also if it is harmless. */
export const STRICT: SharpOptions = { failOn: 'warning', limitInputPixels: MOST_PIXELS_READ };
export const LENIENT: SharpOptions = { failOn: 'none', limitInputPixels: MOST_PIXELS_READ };

/** The pixels upright, with their transparency. */
export async function decodeUpright(file: PictureFile, options: SharpOptions): Promise<Photo> {
  const isLying = file.orientation >= 5;
  const { width, height } = file.shape;
  const size = isLying ? { width: height, height: width } : { width, height };
  return pixelsOf(sharp(file.bytes, options).autoOrient(), size);
}

/** The pixels as the file has them, with their transparency. */
export const decodeAsStored = (file: PictureFile): Promise<Photo> =>
  pixelsOf(sharp(file.bytes, LENIENT), file.shape);

/** The pixels with their transparency, smaller if there are very many. */
export async function pixelsOf(
  picture: Sharp,
  size: { width: number; height: number },
): Promise<Photo> {
  const shrink = shrinkOf(size);
  const resized =
    shrink > 1
      ? picture.resize({
          width: Math.round(size.width / shrink),
          height: Math.round(size.height / shrink),
          fit: 'fill',
        })
      : picture;
  const { data, info } = await resized
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, values: data };
}
