/* The pictures behind the face, as I420 for a frame. */
import type { Background } from '#protocol/pictures/frames.ts';
import { scaledI420 } from './framed.ts';

type Size = { width: number; height: number };
/** I420. */
export type Picture = Size & { i420: Uint8Array };

/** A background whose picture is open. */
export type Backdrop =
  | Exclude<Background, { kind: 'picture' }>
  | { kind: 'picture'; picture: Picture };

export const OWN_ROOM: Backdrop = { kind: 'own' };

/** The background of a frame that gets its real one later: adds nothing to the face over it. */
export const nothingBehind = ({ width, height }: Size): Uint8Array =>
  plain({ width, height }, 0, 128, 128);

/** The backdrop of a frame; null: the face's own room as it is. `ownRoom` is that room. */
export function backdropI420(
  backdrop: Backdrop,
  size: Size,
  ownRoom: () => Uint8Array,
): Uint8Array | null {
  switch (backdrop.kind) {
    case 'own':
      return null;
    case 'blur':
      return blurred({ ...size, i420: ownRoom() });
    case 'colour':
      return coloured(size, backdrop.colour);
    case 'picture':
      return filling(backdrop.picture, size);
    case 'transparent':
      // Black, as the frame holds colours multiplied by their opacity.
      return plain(size, 16, 128, 128);
  }
}

function plain({ width, height }: Size, y: number, u: number, v: number): Uint8Array {
  const pixels = width * height;
  return new Uint8Array(1.5 * pixels)
    .fill(y, 0, pixels)
    .fill(u, pixels, 1.25 * pixels)
    .fill(v, 1.25 * pixels);
}

/** `colour` is #rrggbb. BT.601 limited range, as all frames. */
function coloured(size: Size, colour: string): Uint8Array {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
  const [r, g, b] = [red!, green!, blue!];
  return plain(
    size,
    Math.round(16 + 65.481 * r + 128.553 * g + 24.966 * b),
    Math.round(128 - 37.797 * r - 74.203 * g + 112 * b),
    Math.round(128 + 112 * r - 93.786 * g - 18.214 * b),
  );
}

/** The middle of a picture that fills the frame. */
function filling(picture: Picture, { width, height }: Size): Uint8Array {
  const step = Math.min(picture.width / width, picture.height / height);
  return scaledI420(
    picture,
    { width, height },
    {
      x: (picture.width - width * step) / 2,
      y: (picture.height - height * step) / 2,
      step,
    },
  );
}

/** Blur by this share of the frame's longer side. */
const BLURRED_SHARE = 1 / 20;

/** A picture made small and large again. */
function blurred(picture: Picture): Uint8Array {
  const { width, height } = picture;
  const step = BLURRED_SHARE * Math.max(width, height);
  const small = {
    width: 2 * Math.ceil(width / step / 2 + 1),
    height: 2 * Math.ceil(height / step / 2 + 1),
  };
  const start = { x: (width - small.width * step) / 2, y: (height - small.height * step) / 2 };
  const i420 = scaledI420(picture, small, { ...start, step });
  return scaledI420({ i420, ...small }, picture, {
    x: -start.x / step,
    y: -start.y / step,
    step: 1 / step,
  });
}
