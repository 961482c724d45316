import { blurRaster } from '../picture/blur.ts';
import { decodePicture } from '../picture/decode-picture.ts';
import { type Photo, placed } from '../picture/photo.ts';
import { PictureError } from '../picture-error.ts';
import { type Raster, raster } from '../picture/raster.ts';

export type Background =
  | { kind: 'blur' }
  /** As `#rrggbb`. */
  | { kind: 'colour'; colour: string }
  | { kind: 'picture'; picture: Uint8Array };

/** A background whose picture, if any, is decoded. */
type OpenBackground =
  | Exclude<Background, { kind: 'picture' }>
  | { kind: 'picture'; picture: Photo };

/** Imitates the blur of a lens for a distant background. */
const BLUR = 15;

/** Throws a PictureError `bad_background` if the picture cannot be decoded. */
export async function openBackground(wish: Background): Promise<OpenBackground> {
  if (wish.kind !== 'picture') return wish;
  return { kind: 'picture', picture: await decodeBackground(wish.picture) };
}

/** The finished background. `behind` is the photo without the person. */
export function drawBackground(wish: OpenBackground, behind: Raster): Raster {
  switch (wish.kind) {
    case 'blur': {
      blurRaster(behind, BLUR);
      return behind;
    }
    case 'colour':
      return filled(behind, wish.colour);
    case 'picture': {
      const { picture } = wish;
      const { width, height } = behind;
      return placed(picture, behind, {
        from: [picture.width / 2, picture.height / 2],
        to: [width / 2, height / 2],
        // Cover the whole area; crop the excess.
        scale: Math.max(width / picture.width, height / picture.height),
      });
    }
  }
}

/** Reports a broken background picture as such, not as a broken photo. */
async function decodeBackground(bytes: Uint8Array): Promise<Photo> {
  try {
    return await decodePicture(bytes);
  } catch (cause) {
    if (!(cause instanceof PictureError)) throw cause;
    throw new PictureError('bad_background', { cause });
  }
}

function filled({ width, height }: Raster, colour: string): Raster {
  const picture = raster(width, height);
  const bytes = [...Buffer.from(colour.slice(1), 'hex'), 255];
  for (let at = 0; at < picture.values.length; at += 4) picture.values.set(bytes, at);
  return picture;
}
