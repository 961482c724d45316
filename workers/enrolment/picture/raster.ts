import type { Area } from '../../bundle/pictures.ts';
import type { Pixels } from '../../bundle/png.ts';

/**
 * A picture for computation: red, green, blue and alpha of each pixel, 0..255, not premultiplied.
 */
export type Raster = { width: number; height: number; values: Float32Array };

export type Colour = [red: number, green: number, blue: number];

export const raster = (width: number, height: number): Raster => ({
  width,
  height,
  values: new Float32Array(4 * width * height),
});

/** Samples between pixels by cubic interpolation into `into`. The border extends outward. */
export function sample(
  { width, height, values }: { width: number; height: number; values: ArrayLike<number> },
  x: number,
  y: number,
  into: Float32Array,
) {
  const column = Math.floor(x);
  const row = Math.floor(y);
  weigh(x - column, ACROSS);
  weigh(y - row, DOWN);
  // In variables of their own: V8 allocates an array for each destructuring here.
  const before = ACROSS[0]!;
  const left = ACROSS[1]!;
  const right = ACROSS[2]!;
  const behind = ACROSS[3]!;
  const atBefore = 4 * clamp(column - 1, 0, width - 1);
  const atLeft = 4 * clamp(column, 0, width - 1);
  const atRight = 4 * clamp(column + 1, 0, width - 1);
  const atBehind = 4 * clamp(column + 2, 0, width - 1);
  let red = 0;
  let green = 0;
  let blue = 0;
  let alpha = 0;
  for (let j = 0; j < 4; j++) {
    const line = 4 * width * clamp(row + j - 1, 0, height - 1);
    const share = DOWN[j]!;
    const a = line + atBefore;
    const b = line + atLeft;
    const c = line + atRight;
    const d = line + atBehind;
    red +=
      share * (before * values[a]! + left * values[b]! + right * values[c]! + behind * values[d]!);
    green +=
      share *
      (before * values[a + 1]! +
        left * values[b + 1]! +
        right * values[c + 1]! +
        behind * values[d + 1]!);
    blue +=
      share *
      (before * values[a + 2]! +
        left * values[b + 2]! +
        right * values[c + 2]! +
        behind * values[d + 2]!);
    alpha +=
      share *
      (before * values[a + 3]! +
        left * values[b + 3]! +
        right * values[c + 3]! +
        behind * values[d + 3]!);
  }
  into[0] = clamp(red, 0, 255);
  into[1] = clamp(green, 0, 255);
  into[2] = clamp(blue, 0, 255);
  into[3] = clamp(alpha, 0, 255);
}

const ACROSS = new Float64Array(4);
const DOWN = new Float64Array(4);

/** Catmull-Rom. */
function weigh(t: number, into: Float64Array) {
  into[0] = t * (-0.5 + t * (1 - 0.5 * t));
  into[1] = 1 + t * t * (-2.5 + 1.5 * t);
  into[2] = t * (0.5 + t * (2 - 1.5 * t));
  into[3] = t * t * (-0.5 + 0.5 * t);
}

/**
 * Blends `share` of a colour into a pixel, given in coordinates of the whole picture. Ignores
 * pixels outside the area.
 */
export function layOver(
  into: Raster,
  area: Area,
  x: number,
  y: number,
  colour: ArrayLike<number>,
  share: number,
) {
  const [column, row] = [x - area.x, y - area.y];
  if (column < 0 || row < 0 || column >= into.width || row >= into.height) return;
  const at = 4 * (row * into.width + column);
  for (let channel = 0; channel < 3; channel++) {
    const under = into.values[at + channel]!;
    into.values[at + channel] = under + (colour[channel]! - under) * share;
  }
}

/** The nearest pixel's value. */
export function colourAt({ width, height, values }: Raster, x: number, y: number): Colour {
  const column = clamp(Math.round(x), 0, width - 1);
  const row = clamp(Math.round(y), 0, height - 1);
  const at = 4 * (row * width + column);
  return [values[at]!, values[at + 1]!, values[at + 2]!];
}

export const lightOf = ([red, green, blue]: Colour) => 0.299 * red + 0.587 * green + 0.114 * blue;

export const lightAt = (picture: Raster, x: number, y: number) => lightOf(colourAt(picture, x, y));

export const meanOf = (colours: Colour[]): Colour =>
  [0, 1, 2].map(
    (channel) => colours.reduce((sum, colour) => sum + colour[channel]!, 0) / colours.length,
  ) as Colour;

/** Colour distance with brightness removed. */
export function hueApart(a: Colour, b: Colour): number {
  const scale = lightOf(b) / Math.max(1, lightOf(a));
  return Math.hypot(0.71 * (a[0] * scale - b[0]), 0.56 * (a[2] * scale - b[2]));
}

/** A rectangle of the picture in the bundle builder's format. */
export function pixelsOf(picture: Raster, area: Area): Pixels {
  const samples = new Uint8Array(4 * area.width * area.height);
  for (let row = 0; row < area.height; row++) {
    const from = 4 * ((area.y + row) * picture.width + area.x);
    for (let i = 0; i < 4 * area.width; i++) {
      samples[4 * row * area.width + i] = Math.round(picture.values[from + i]!);
    }
  }
  return { width: area.width, height: area.height, channels: 4, samples };
}

export const wholeOf = ({ width, height }: Raster): Area => ({ x: 0, y: 0, width, height });

export const clamp = (value: number, least: number, most: number) =>
  Math.min(most, Math.max(least, value));

/** Smoothstep: 0 before `from`, 1 after `to`. */
export function ramp(from: number, to: number, value: number): number {
  const share = clamp((value - from) / (to - from), 0, 1);
  return share * share * (3 - 2 * share);
}
