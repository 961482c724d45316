import { createCanvas, type Canvas } from '@napi-rs/canvas';
import { blurRaster } from '../picture/blur.ts';
import { decodePicture } from '../picture/decode.ts';
import { PictureError } from '../picture-error.ts';
import { type Raster, raster } from '../picture/raster.ts';

export type Background =
  | { kind: 'blur' }
  | { kind: 'colour'; colour: string }
  | { kind: 'picture'; picture: Uint8Array };

/** A background whose picture, if any, is decoded. */
type OpenBackground =
  | Exclude<Background, { kind: 'picture' }>
  | { kind: 'picture'; picture: Canvas };

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
      return drawn(behind, (context, { width, height }) => {
        context.fillStyle = wish.colour;
        context.fillRect(0, 0, width, height);
      });
    case 'picture': {
      const { picture } = wish;
      return drawn(behind, (context, { width, height }) => {
        // Cover the whole area; crop the excess.
        const scale = Math.max(width / picture.width, height / picture.height);
        context.imageSmoothingQuality = 'high';
        context.translate(width / 2, height / 2);
        context.scale(scale, scale);
        context.drawImage(picture, -picture.width / 2, -picture.height / 2);
      });
    }
  }
}

/** Reports a broken background picture as such, not as a broken photo. */
async function decodeBackground(bytes: Uint8Array): Promise<Canvas> {
  try {
    return await decodePicture(bytes);
  } catch (cause) {
    if (!(cause instanceof PictureError)) throw cause;
    throw new PictureError('bad_background', { cause });
  }
}

type Context = ReturnType<ReturnType<typeof createCanvas>['getContext']>;

function drawn(size: Raster, draw: (context: Context, size: Raster) => void): Raster {
  const canvas = createCanvas(size.width, size.height);
  const context = canvas.getContext('2d');
  draw(context, size);
  const picture = raster(size.width, size.height);
  picture.values.set(context.getImageData(0, 0, size.width, size.height).data);
  return picture;
}
