/*
 * Perceptual difference of two pictures: CIEDE2000 (Sharma, Wu and Dalal 2005) of their pixels,
 * averaged per block. A block of 1 is just visible to a careful eye.
 */
export type Picture = { width: number; height: number; rgba: Uint8ClampedArray };
export type Difference = {
  mean: number;
  greatest: number;
  blocks: number[];
  blockSide: number;
  across: number;
};

const BLOCK = 8;

export function differenceOf(a: Picture, b: Picture): Difference {
  const across = Math.ceil(a.width / BLOCK);
  const blocks = Array<number>(across * Math.ceil(a.height / BLOCK)).fill(0);
  const counts = [...blocks];
  let sum = 0;
  for (let i = 0; i < a.width * a.height; i++) {
    const block = Math.floor(i / a.width / BLOCK) * across + Math.floor((i % a.width) / BLOCK);
    const delta = isSame(a.rgba, b.rgba, 4 * i) ? 0 : deltaE(labAt(a.rgba, i), labAt(b.rgba, i));
    sum += delta;
    blocks[block]! += delta;
    counts[block]! += 1;
  }
  const means = blocks.map((total, i) => total / counts[i]!);
  return {
    mean: sum / (a.width * a.height),
    greatest: Math.max(...means),
    blocks: means,
    blockSide: BLOCK,
    across,
  };
}

type Lab = readonly [lightness: number, a: number, b: number];

const isSame = (a: Uint8ClampedArray, b: Uint8ClampedArray, at: number) =>
  a[at] === b[at] && a[at + 1] === b[at + 1] && a[at + 2] === b[at + 2];

const LINEAR = Float64Array.from({ length: 256 }, (_, value) => {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
});

function labAt(rgba: Uint8ClampedArray, pixel: number): Lab {
  const [r, g, b] = [0, 1, 2].map((i) => LINEAR[rgba[4 * pixel + i]!]!) as [number, number, number];
  const x = root((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const y = root(0.2126729 * r + 0.7151522 * g + 0.072175 * b);
  const z = root((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const root = (value: number) =>
  value > 216 / 24_389 ? Math.cbrt(value) : (24_389 / 27 / 116) * value + 16 / 116;

const RADIANS = Math.PI / 180;
const FAR = 25 ** 7;

export function deltaE([l1, a1, b1]: Lab, [l2, a2, b2]: Lab): number {
  const chroma = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const stretch = 1.5 - 0.5 * Math.sqrt(chroma ** 7 / (chroma ** 7 + FAR));
  const [c1, c2] = [Math.hypot(stretch * a1, b1), Math.hypot(stretch * a2, b2)];
  const [h1, h2] = [hue(stretch * a1, b1), hue(stretch * a2, b2)];
  const isGrey = c1 * c2 === 0;
  const turn = isGrey ? 0 : ((h2 - h1 + 540) % 360) - 180;
  const [dL, dC] = [l2 - l1, c2 - c1];
  const dH = 2 * Math.sqrt(c1 * c2) * Math.sin((turn / 2) * RADIANS);
  const [l, c] = [(l1 + l2) / 2, (c1 + c2) / 2];
  const h = isGrey ? h1 + h2 : (h1 + turn / 2 + 360) % 360;
  const t =
    1 -
    0.17 * Math.cos((h - 30) * RADIANS) +
    0.24 * Math.cos(2 * h * RADIANS) +
    0.32 * Math.cos((3 * h + 6) * RADIANS) -
    0.2 * Math.cos((4 * h - 63) * RADIANS);
  const sL = 1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2);
  const sC = 1 + 0.045 * c;
  const sH = 1 + 0.015 * c * t;
  const angle = 30 * Math.exp(-(((h - 275) / 25) ** 2));
  const rotation = -2 * Math.sqrt(c ** 7 / (c ** 7 + FAR)) * Math.sin(2 * angle * RADIANS);
  return Math.sqrt(
    (dL / sL) ** 2 + (dC / sC) ** 2 + (dH / sH) ** 2 + rotation * (dC / sC) * (dH / sH),
  );
}

const hue = (a: number, b: number) => (Math.atan2(b, a) / RADIANS + 360) % 360;
