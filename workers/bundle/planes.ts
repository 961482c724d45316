import type { Pixels } from './png.ts';

/** One channel of a rectangle. */
export type Plane = { width: number; height: number; values: Float32Array };

/**
 * A picture for the warp: Y', Cb and Cr multiplied by alpha; alpha is 0..1. Cb and Cr are centred
 * on 0 and have full size.
 */
export type PremultipliedPicture = { y: Plane; u: Plane; v: Plane; a: Plane };

export const plane = (width: number, height: number): Plane => ({
  width,
  height,
  values: new Float32Array(width * height),
});

/** BT.601 limited range, as WebRTC expects of I420. */
export function premultiplied(pixels: Pixels): PremultipliedPicture {
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
  return separably(from, reach, (line, into) => {
    for (let at = 0; at < into.length; at++) {
      let sum = 0;
      for (let i = 0; i < weights.length; i++) sum += weights[i]! * line[at + i]!;
      into[at] = sum / total;
    }
  });
}

/** The maximum within `reach` pixels in each direction. */
export function widened(from: Plane, reach: number): Plane {
  return separably(from, reach, (line, into) => {
    for (let at = 0; at < into.length; at++) {
      let most = -Infinity;
      for (let i = 0; i <= 2 * reach; i++) most = Math.max(most, line[at + i]!);
      into[at] = most;
    }
  });
}

/**
 * Applies `combine` to each row, then to each column of the result. A line has `reach` more values
 * at both ends, which repeat those of the edge.
 */
function separably(
  from: Plane,
  reach: number,
  combine: (line: Float32Array, into: Float32Array) => void,
): Plane {
  const { width, height } = from;
  const result = plane(width, height);
  const along = (values: Float32Array, count: number, start: number, step: number) => {
    const line = new Float32Array(count + 2 * reach);
    for (let i = 0; i < line.length; i++)
      line[i] = values[start + step * Math.min(count - 1, Math.max(0, i - reach))]!;
    const into = new Float32Array(count);
    combine(line, into);
    for (let i = 0; i < count; i++) result.values[start + step * i] = into[i]!;
  };
  for (let row = 0; row < height; row++) along(from.values, width, row * width, 1);
  for (let column = 0; column < width; column++) along(result.values, height, column, width);
  return result;
}
