/* Crops and scales the parts of a face to a view. Linear: a scaled base plus a scaled difference is
 * the scaled sum. */
import { ACROSS_STEP, DOWN_STEP, type Rectangle } from '../../bundle/format.ts';
import type { Difference, Face } from '../../bundle/open-bundle.ts';
import { BORDER } from './planes.ts';
import { resampler } from './resampler.ts';
import { type Taps, tapsOf } from './taps.ts';
import type { View } from './view.ts';

type Size = { width: number; height: number };

/** Share of a cut side of the picture over which the face fades out inside a wider frame. */
const FADED_SHARE = 0.16;

/** Whether a view shows the picture pixel by pixel. */
export function isWhole({ manifest }: Face, view: View): boolean {
  const { width, height } = manifest;
  const isSame = view.width === width && view.height === height && view.scale === 1;
  return isSame && Math.abs(view.x) < 1e-6 && Math.abs(view.y) < 1e-6;
}

/** A place of the picture in a view. */
export const sourceOf = (view: View, x: number, y: number) => ({
  x: (x - view.x) * view.scale,
  y: (y - view.y) * view.scale,
});

/** Base planes with their border, colour around 128. */
export function framedBase({ manifest, base }: Face, view: View, frame: Size): Face['base'] {
  const step = 1 / view.scale;
  const plane = (bytes: Uint8Array, part: 1 | 2, zero: number) => {
    const [width, height] = [manifest.width / part, manifest.height / part];
    const border = BORDER / part;
    const columns = tapsOf(frame.width / part + 2 * border, {
      start: view.x / part - border * step,
      step,
      sourceCount: width,
      outside: 'zero',
    });
    const rows = tapsOf(frame.height / part + 2 * border, {
      start: view.y / part - border * step,
      step,
      sourceCount: height,
      outside: 'repeat',
    });
    const scaled = resampler().bytes({ bytes, width, height }, columns, rows, zero);
    return faded(scaled, columns.count, fadeOf({ manifest, base }, view, frame, part), zero);
  };
  return {
    y: plane(base.y, 1, 0),
    a: plane(base.a, 1, 0),
    u: plane(base.u, 2, 128),
    v: plane(base.v, 2, 128),
  };
}

/**
 * Weight of each column, or null for 1 everywhere: a picture that cuts the shoulders at its side
 * would end in a straight line inside a wider frame.
 */
function fadeOf(
  { manifest, base }: Pick<Face, 'manifest' | 'base'>,
  view: View,
  frame: Size,
  part: 1 | 2,
): Float32Array | null {
  const { width, height } = manifest;
  const isCut = (column: number) => {
    for (let row = 0; row < height; row++) if (base.a[row * width + column]! > 0) return true;
    return false;
  };
  const endX = view.x + frame.width / view.scale;
  const isLeftShown = view.x < -1 && isCut(0);
  const isRightShown = endX > width + 1 && isCut(width - 1);
  if (!isLeftShown && !isRightShown) return null;
  const fadedPixels = FADED_SHARE * width;
  const border = BORDER / part;
  return Float32Array.from({ length: frame.width / part + 2 * border }, (_, i) => {
    const x = view.x + ((i - border + 0.5) * part) / view.scale;
    const left = isLeftShown ? smooth(x / fadedPixels) : 1;
    return left * (isRightShown ? smooth((width - x) / fadedPixels) : 1);
  });
}

function smooth(share: number): number {
  const inside = Math.min(1, Math.max(0, share));
  return inside * inside * (3 - 2 * inside);
}

function faded(
  bytes: Uint8Array,
  stride: number,
  weights: Float32Array | null,
  zero: number,
): Uint8Array {
  if (weights) {
    for (let i = 0; i < bytes.length; i++)
      bytes[i] = Math.round(zero + (bytes[i]! - zero) * weights[i % stride]!);
  }
  return bytes;
}

/** The room behind the face as I420. Beyond its picture it continues as in a mirror. */
export function framedBackground(face: Face, view: View, frame: Size): Uint8Array {
  const { background } = face.manifest;
  const { x, y, scale } = background;
  const isSame = scale === 1 && x === 0 && y === 0 && background.width === frame.width;
  if (isSame && isWhole(face, view) && background.height === frame.height) return face.background;
  return scaledI420({ i420: face.background, ...background }, frame, {
    x: (view.x - x) / scale,
    y: (view.y - y) / scale,
    step: 1 / (view.scale * scale),
  });
}

type Picture = Size & { i420: Uint8Array };

/** `frame` pixels of a picture from (x, y) on, `step` pixels apart. */
export function scaledI420(
  { i420, width, height }: Picture,
  frame: Size,
  { x, y, step }: { x: number; y: number; step: number },
): Uint8Array {
  const result = new Uint8Array(1.5 * frame.width * frame.height);
  let [from, to] = [0, 0];
  for (const part of [1, 2, 2]) {
    const size = { width: width / part, height: height / part };
    const line = (start: number, sourceCount: number) =>
      ({ start: start / part, step, sourceCount, outside: 'mirror' }) as const;
    const scaled = resampler().bytes(
      { bytes: i420.subarray(from, from + size.width * size.height), ...size },
      tapsOf(frame.width / part, line(x, size.width)),
      tapsOf(frame.height / part, line(y, size.height)),
    );
    result.set(scaled, to);
    from += size.width * size.height;
    to += scaled.length;
  }
  return result;
}

/** A sprite in the view. Its area may begin in the border. */
export function framedDifference(difference: Difference, view: View, frame: Size): Difference {
  const area = framedArea(difference.area, view, frame);
  const empty = new Int16Array();
  if (area.width === 0) return { area, y: empty, a: null, u: empty, v: empty };
  const whole = { from: difference.area, area, view };
  const [columns, rows] = tapsOfSprite(whole, 1);
  const [halfColumns, halfRows] = tapsOfSprite(whole, 2);
  const { width, height } = difference.area;
  const half = { width: width / 2, height: height / 2 };
  const scaled = (values: Int16Array) =>
    resampler().difference({ values, width, height }, columns, rows);
  return {
    area,
    y: scaled(difference.y),
    a: difference.a && scaled(difference.a),
    u: resampler().difference({ values: difference.u, ...half }, halfColumns, halfRows),
    v: resampler().difference({ values: difference.v, ...half }, halfColumns, halfRows),
  };
}

function tapsOfSprite(
  { from, area, view }: { from: Rectangle; area: Rectangle; view: View },
  part: 1 | 2,
): [Taps, Taps] {
  const step = 1 / view.scale;
  const line = (start: number, sourceCount: number) =>
    ({ start: start / part, step, sourceCount: sourceCount / part, outside: 'zero' }) as const;
  return [
    tapsOf(area.width / part, line(view.x + area.x * step - from.x, from.width)),
    tapsOf(area.height / part, line(view.y + area.y * step - from.y, from.height)),
  ];
}

/** The pixels of the frame and its border that a sprite may change, aligned as in a bundle. */
function framedArea(from: Rectangle, view: View, frame: Size): Rectangle {
  const none = { x: 0, y: 0, width: 0, height: 0 };
  if (from.width === 0) return none;
  const reach = 2 * Math.max(1, view.scale) + 1;
  const start = sourceOf(view, from.x, from.y);
  const end = sourceOf(view, from.x + from.width, from.y + from.height);
  const x = stepDown(Math.max(-BORDER, start.x - reach), ACROSS_STEP);
  const y = stepDown(Math.max(-BORDER, start.y - reach), DOWN_STEP);
  const endX = Math.min(frame.width + BORDER, x + stepUp(end.x + reach - x, ACROSS_STEP));
  const endY = Math.min(frame.height + BORDER, y + stepUp(end.y + reach - y, DOWN_STEP));
  return endX <= x || endY <= y ? none : { x, y, width: endX - x, height: endY - y };
}

const stepDown = (value: number, step: number) => Math.floor(value / step) * step;
const stepUp = (value: number, step: number) => Math.ceil(value / step) * step;
