import { createCanvas, type Canvas } from '@napi-rs/canvas';
import { blurRaster } from '../picture/blur.ts';
import { decodePicture } from '../picture/decode.ts';
import { PictureError } from '../picture-error.ts';
import { type Raster, raster } from '../picture/raster.ts';

export type Background =
  | { kind: 'blur' }
  | { kind: 'colour'; colour: string }
  | { kind: 'picture'; picture: Uint8Array };

/** A background whose picture, if it has one, has been decoded. */
type OpenBackground =
  | Exclude<Background, { kind: 'picture' }>
  | { kind: 'picture'; picture: Canvas };

/** As a lens blurs what lies far behind. */
const BLUR = 15;

/** Throws a PictureError, `bad_background`, for a picture that cannot be decoded. */
export async function openBackground(wish: Background): Promise<OpenBackground> {
  if (wish.kind !== 'picture') return wish;
  return { kind: 'picture', picture: await decodeBackground(wish.picture) };
}

/** What is seen behind the person; `behind` is the picture without them. */
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
        // Covers all of it; what is too wide or too high is cut.
        const scale = Math.max(width / picture.width, height / picture.height);
        context.imageSmoothingQuality = 'high';
        context.translate(width / 2, height / 2);
        context.scale(scale, scale);
        context.drawImage(picture, -picture.width / 2, -picture.height / 2);
      });
    }
  }
}

/** Whoever sent two pictures is told which of them is not good. */
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
