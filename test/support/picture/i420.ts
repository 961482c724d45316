/* I420 pictures (BT.601, limited range) for encoders, and how well one came out. */
import { createCanvas, loadImage } from 'canvas';
import type { Picture } from '../../gates/measures/perceptual.ts';

type Size = { width: number; height: number };
type Sample = (x: number, y: number) => number;

/** Chroma is given at its own, half resolution. */
export function pictureOf(
  { width, height }: Size,
  { y = () => 126, u = () => 128, v = () => 128 }: { y?: Sample; u?: Sample; v?: Sample },
): Uint8Array {
  const half = { width: width / 2, height: height / 2 };
  const plane = (of: Size, sample: Sample) =>
    Array.from({ length: of.width * of.height }, (_, i) =>
      sample(i % of.width, Math.floor(i / of.width)),
    );
  return Uint8Array.from([...plane({ width, height }, y), ...plane(half, u), ...plane(half, v)]);
}

/** Decoded by another library than ours. */
export async function decoded(file: Uint8Array): Promise<Picture> {
  const image = await loadImage(Buffer.from(file));
  const { width, height } = image;
  const context = createCanvas(width, height).getContext('2d');
  context.drawImage(image, 0, 0);
  return { width, height, rgba: context.getImageData(0, 0, width, height).data };
}

export type Planes = { y: Float64Array; u: Float64Array; v: Float64Array };

/** Y', Cb and Cr of full range, 0..255; chroma is the mean of 2 x 2 pixels. */
export function planesOf({ width, height, rgba }: Picture): Planes {
  const y = new Float64Array(width * height);
  const [u, v] = [new Float64Array(y.length / 4), new Float64Array(y.length / 4)];
  for (let i = 0; i < y.length; i++) {
    const [r, g, b] = [rgba[4 * i]!, rgba[4 * i + 1]!, rgba[4 * i + 2]!];
    y[i] = 0.299 * r + 0.587 * g + 0.114 * b;
    const half = Math.floor(i / width / 2) * (width / 2) + Math.floor((i % width) / 2);
    u[half]! += (128 + (b - y[i]!) / 1.772) / 4;
    v[half]! += (128 + (r - y[i]!) / 1.402) / 4;
  }
  return { y, u, v };
}

/** The same of the picture that was encoded. */
export function fullRange(i420: Uint8Array, { width, height }: Size): Planes {
  const pixels = width * height;
  const plane = (from: number, to: number, convert: (sample: number) => number) =>
    Float64Array.from(i420.subarray(from, to), (sample) =>
      Math.min(255, Math.max(0, convert(sample))),
    );
  return {
    y: plane(0, pixels, widenedLuma),
    u: plane(pixels, 1.25 * pixels, widenedChroma),
    v: plane(1.25 * pixels, 1.5 * pixels, widenedChroma),
  };
}

const widenedLuma = (sample: number) => ((sample - 16) * 255) / 219;
const widenedChroma = (sample: number) => ((sample - 128) * 255) / 224 + 128;

/** Peak signal-to-noise ratio in dB, by plane. */
export function psnr(a: Planes, b: Planes): Record<keyof Planes, number> {
  const of = (name: keyof Planes) => {
    const errors = a[name].map((value, i) => (value - b[name][i]!) ** 2);
    return (
      10 * Math.log10(255 ** 2 / (errors.reduce((sum, each) => sum + each, 0) / errors.length))
    );
  };
  return { y: of('y'), u: of('u'), v: of('v') };
}
