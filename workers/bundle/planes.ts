import type { Pixels } from './png.ts';

/** One channel of a rectangle. */
export type Plane = { width: number; height: number; values: Float32Array };

/**
 * A picture for the warp: Y', Cb and Cr multiplied by alpha; alpha is 0..1. Cb and Cr are centred
 * on 0 and have full size.
 */
export type Premultiplied = { y: Plane; u: Plane; v: Plane; a: Plane };

export const plane = (width: number, height: number): Plane => ({
  width,
  height,
  values: new Float32Array(width * height),
});

/** BT.601 limited range, as WebRTC expects of I420. */
export function premultiplied(pixels: Pixels): Premultiplied {
  const { width, height, channels, samples } = pixels;
  const most = samples instanceof Uint16Array ? 65_535 : 255;
  const planes = {
    y: plane(width, height),
    u: plane(width, height),
    v: plane(width, height),
    a: plane(width, height),
  };
  const coloured = channels >= 3;
  const opaque = channels === 1 || channels === 3;
  for (let i = 0; i < width * height; i++) {
    const at = i * channels;
    const red = (samples[at] ?? 0) / most;
    const green = (samples[coloured ? at + 1 : at] ?? 0) / most;
    const blue = (samples[coloured ? at + 2 : at] ?? 0) / most;
    const alpha = opaque ? 1 : (samples[at + channels - 1] ?? 0) / most;
    planes.y.values[i] = alpha * (16 + 65.481 * red + 128.553 * green + 24.966 * blue);
    planes.u.values[i] = alpha * (-37.797 * red - 74.203 * green + 112 * blue);
    planes.v.values[i] = alpha * (112 * red - 93.786 * green - 18.214 * blue);
    planes.a.values[i] = alpha;
  }
  return planes;
}

/** The mean of each 2 x 2: the size of I420's chroma. */
export function halved(full: Plane): Plane {
  const half = plane(full.width / 2, full.height / 2);
  for (let row = 0; row < half.height; row++) {
    for (let column = 0; column < half.width; column++) {
      const at = 2 * row * full.width + 2 * column;
      half.values[row * half.width + column] =
        ((full.values[at] ?? 0) +
          (full.values[at + 1] ?? 0) +
          (full.values[at + full.width] ?? 0) +
          (full.values[at + full.width + 1] ?? 0)) /
        4;
    }
  }
  return half;
}

/** Crops a rectangle. Pixels outside the plane are 0. */
export function cut(from: Plane, x: number, y: number, width: number, height: number): Plane {
  const part = plane(width, height);
  for (let row = Math.max(0, -y); row < Math.min(height, from.height - y); row++) {
    for (let column = Math.max(0, -x); column < Math.min(width, from.width - x); column++) {
      part.values[row * width + column] = from.values[(row + y) * from.width + column + x] ?? 0;
    }
  }
  return part;
}

export function gauss(from: Plane, sigma: number): Plane {
  const reach = Math.ceil(3 * sigma);
  const weights = Array.from({ length: 2 * reach + 1 }, (_, i) =>
    Math.exp(-((i - reach) ** 2) / (2 * sigma * sigma)),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return separably(from, (near) => {
    let sum = 0;
    for (let i = 0; i < weights.length; i++) sum += (weights[i] ?? 0) * near(i - reach);
    return sum / total;
  });
}

/** The maximum within `reach` pixels in each direction. */
export function widened(from: Plane, reach: number): Plane {
  return separably(from, (near) => {
    let most = -Infinity;
    for (let i = -reach; i <= reach; i++) most = Math.max(most, near(i));
    return most;
  });
}

/**
 * Applies `combine` along the rows, then along the columns. Edge values repeat outside the plane.
 */
function separably(from: Plane, combine: (near: (offset: number) => number) => number): Plane {
  const { width, height } = from;
  const rows = plane(width, height);
  const both = plane(width, height);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      rows.values[row * width + column] = combine(
        (offset) => from.values[row * width + within(column + offset, width)] ?? 0,
      );
    }
  }
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      both.values[row * width + column] = combine(
        (offset) => rows.values[within(row + offset, height) * width + column] ?? 0,
      );
    }
  }
  return both;
}

const within = (value: number, length: number) => Math.min(length - 1, Math.max(0, value));
