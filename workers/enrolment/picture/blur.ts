import type { Raster } from './raster.ts';

/**
 * Gaussian blur of a plane, in place: three running means, whose cost does not depend on the width.
 */
export function blurPlane(values: Float32Array, width: number, height: number, sigma: number) {
  if (sigma <= 0) return;
  const radius = Math.max(0, Math.round((Math.sqrt(4 * sigma * sigma + 1) - 1) / 2));
  if (radius === 0) return lightly(values, width, height, sigma);
  const line = new Float32Array(Math.max(width, height));
  for (let pass = 0; pass < 3; pass++) {
    for (let row = 0; row < height; row++) runMean(values, row * width, 1, width, radius, line);
    for (let column = 0; column < width; column++) {
      runMean(values, column, width, height, radius, line);
    }
  }
}

/** Below one pixel: the mean with the neighbours. */
function lightly(values: Float32Array, width: number, height: number, sigma: number) {
  const side = Math.min(0.25, (sigma * sigma) / 2);
  const line = new Float32Array(Math.max(width, height));
  const along = (start: number, step: number, count: number) => {
    for (let i = 0; i < count; i++) line[i] = values[start + i * step]!;
    for (let i = 0; i < count; i++) {
      const [previous, following] = [line[Math.max(0, i - 1)]!, line[Math.min(count - 1, i + 1)]!];
      values[start + i * step] = line[i]! + side * (previous + following - 2 * line[i]!);
    }
  };
  for (let row = 0; row < height; row++) along(row * width, 1, width);
  for (let column = 0; column < width; column++) along(column, width, height);
}

function runMean(
  values: Float32Array,
  start: number,
  step: number,
  count: number,
  radius: number,
  line: Float32Array,
) {
  for (let i = 0; i < count; i++) line[i] = values[start + i * step]!;
  const lastIndex = count - 1;
  let sum = 0;
  for (let i = -radius; i <= radius; i++) sum += line[Math.min(lastIndex, Math.max(0, i))]!;
  for (let i = 0; i < count; i++) {
    values[start + i * step] = sum / (2 * radius + 1);
    sum += line[Math.min(lastIndex, i + radius + 1)]! - line[Math.max(0, i - radius)]!;
  }
}

/** Blurs all four channels of a picture, in place. */
export function blurRaster({ width, height, values }: Raster, sigma: number) {
  const plane = new Float32Array(width * height);
  for (let channel = 0; channel < 4; channel++) {
    for (let i = 0; i < plane.length; i++) plane[i] = values[4 * i + channel]!;
    blurPlane(plane, width, height, sigma);
    for (let i = 0; i < plane.length; i++) values[4 * i + channel] = plane[i]!;
  }
}
