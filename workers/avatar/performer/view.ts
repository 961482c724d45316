import type { Framing } from '#protocol/pictures/frames.ts';
import type { Manifest } from '../../bundle/format.ts';

/**
 * A frame and the part of a face's picture that it shows: a pixel of the frame is
 * (pixel of the picture - (x, y)) * scale.
 */
export type View = { width: number; height: number; x: number; y: number; scale: number };

type Size = { width: number; height: number };
type Places = Pick<Manifest, 'width' | 'height' | 'head'>;

/** The picture as it is. */
export const wholeView = ({ width, height }: Size): View => ({
  width,
  height,
  x: 0,
  y: 0,
  scale: 1,
});

/**
 * Places of the named framings: height of the centre of the head, and height of the head. The unit
 * of the latter is the frame's height, or 1.3 widths if that is less: a head must fit between the
 * sides of a tall frame.
 */
const NAMED = {
  close: { y: 0.465, head: 0.69 },
  bust: { y: 0.41, head: 0.46 },
  wide: { y: 0.3, head: 0.27 },
} as const;
const WIDTHS = 1.3;

/** Shapes in which a head with its shoulders fills the frame. */
const SQUARISH = { least: 0.8, most: 1.25 };

/** A picture that ends soon below the head: its head may be this low, before it is larger. */
const LOWEST = 0.48;

/**
 * The view of a framing; without one, `close` in a frame that is about as wide as high, else
 * `bust`. A frame that would reach below the picture shows the head lower, or larger if the caller
 * did not choose its size.
 */
export function viewOf(places: Places, { width, height }: Size, framing?: Framing): View {
  const { head } = places;
  const below = places.height - head.y;
  const isChosen = typeof framing === 'object';
  const place = isChosen ? framing : NAMED[framing ?? usualFraming(width / height)];
  const unit = isChosen ? height : Math.min(height, WIDTHS * width);
  const wished = (place.head * unit) / head.height;
  const scale = isChosen ? wished : Math.max(wished, ((1 - LOWEST) * height) / below);
  const x = isChosen ? framing.x * width : width / 2;
  const y = Math.max(place.y * height, height - below * scale);
  return { width, height, x: head.x - x / scale, y: head.y - y / scale, scale };
}

const usualFraming = (shape: number) =>
  shape >= SQUARISH.least && shape <= SQUARISH.most ? 'close' : 'bust';

export const isSameView = (a: View, b: View): boolean =>
  Math.abs(a.x - b.x) < 0.01 &&
  Math.abs(a.y - b.y) < 0.01 &&
  Math.abs(a.scale / b.scale - 1) < 1e-4;

/** The view between two others of the same frame, `share` of the way. Zooms evenly. */
export function viewBetween(from: View, to: View, share: number): View {
  const scale = from.scale * (to.scale / from.scale) ** share;
  // Linear in 1 / scale: the fixed point of the movement stays where it is.
  const inverse = 1 / to.scale - 1 / from.scale;
  const part = Math.abs(inverse) < 1e-9 ? share : (1 / scale - 1 / from.scale) / inverse;
  return {
    ...to,
    x: from.x + (to.x - from.x) * part,
    y: from.y + (to.y - from.y) * part,
    scale,
  };
}

/** The smallest view that holds two others, at the finer of their scales. */
export function viewAround(a: View, b: View): View {
  const scale = Math.max(a.scale, b.scale);
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  const end = (view: View, start: number, side: number) => start + side / view.scale;
  const width = Math.max(end(a, a.x, a.width), end(b, b.x, b.width)) - x;
  const height = Math.max(end(a, a.y, a.height), end(b, b.y, b.height)) - y;
  return { x, y, scale, width: Math.ceil(width * scale), height: Math.ceil(height * scale) };
}
