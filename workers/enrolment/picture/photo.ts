import { type Raster, raster, sample } from './raster.ts';

/**
 * Opaque; red, green, blue and alpha of each pixel in bytes: as a raster, a whole photo would take
 * four times the memory.
 */
export type Photo = { width: number; height: number; values: Uint8Array };

type Place = readonly [x: number, y: number, ...unknown[]];

/** Puts the photo's point `from` at `to`, scales the photo, and turns it back by `angle`. */
export type Placement = { from: Place; to: Place; scale: number; angle?: number };

/** The photo in a raster, whose pixels outside the photo stay empty. */
export function placed(
  photo: Photo,
  { width, height }: { width: number; height: number },
  { from, to, scale, angle = 0 }: Placement,
): Raster {
  let source = photo;
  let shrunk = 1;
  // A sample mixes the nearest pixels only, and would miss most pixels of a much larger photo.
  while (scale * shrunk <= 0.5) {
    source = halved(source);
    shrunk *= 2;
  }
  const step = 1 / (scale * shrunk);
  const [cos, sin] = [step * Math.cos(angle), step * Math.sin(angle)];
  const [sourceX, sourceY] = [from[0] / shrunk, from[1] / shrunk];
  // The same holds for a pixel that covers up to four: it is the mean of four samples.
  const offsets = step > 1 ? [-0.25, 0.25] : [0];
  const result = raster(width, height);
  const colour = new Float32Array(4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const across = x + 0.5 - to[0];
      const down = y + 0.5 - to[1];
      const middleX = sourceX + across * cos - down * sin;
      const middleY = sourceY + across * sin + down * cos;
      if (!isInside(source, middleX, middleY)) continue;
      const at = 4 * (y * width + x);
      for (const lower of offsets) {
        for (const aside of offsets) {
          sample(
            source,
            middleX + aside * cos - lower * sin - 0.5,
            middleY + aside * sin + lower * cos - 0.5,
            colour,
          );
          for (let i = 0; i < 3; i++)
            result.values[at + i] = result.values[at + i]! + colour[i]! / offsets.length ** 2;
        }
      }
      result.values[at + 3] = 255;
    }
  }
  return result;
}

const isInside = ({ width, height }: Photo, x: number, y: number): boolean =>
  x >= 0 && y >= 0 && x <= width && y <= height;

/** Each pixel is the mean of four. */
function halved({ width, height, values }: Photo): Photo {
  const half = { width: Math.max(1, width >> 1), height: Math.max(1, height >> 1) };
  const into = new Uint8Array(4 * half.width * half.height);
  const right = width > 1 ? 4 : 0;
  const below = height > 1 ? 4 * width : 0;
  for (let y = 0; y < half.height; y++) {
    for (let x = 0; x < half.width; x++) {
      const from = 8 * (y * width + x);
      const to = 4 * (y * half.width + x);
      for (let i = 0; i < 4; i++) {
        const at = from + i;
        const sum =
          values[at]! + values[at + right]! + values[at + below]! + values[at + right + below]!;
        into[to + i] = (sum + 2) >> 2;
      }
    }
  }
  return { ...half, values: into };
}
