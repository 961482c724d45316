import type { PictureSize } from '../transport/transport.ts';

/** A rectangle of a picture, all four even. */
export type Part = { x: number; y: number } & PictureSize;

type Picture = { i420: Uint8Array; size: PictureSize; part?: Part };

/**
 * Writes the picture, or a part of it, into an I420 picture of `small`. Each pixel is the mean of
 * those that it covers, at least one.
 */
export function shrink(
  { i420, size, part = { x: 0, y: 0, ...size } }: Picture,
  to: Uint8Array,
  small: PictureSize,
): void {
  let [source, target] = [0, 0];
  for (const scale of [1, 2, 2]) {
    const stride = size.width / scale;
    const smaller = { width: small.width / scale, height: small.height / scale };
    const columns = bounds(part.x / scale, part.width / scale, smaller.width);
    const rows = bounds(part.y / scale, part.height / scale, smaller.height);
    for (let row = 0; row < smaller.height; row++) {
      const topY = rows[row]!;
      const bottomY = Math.max(topY + 1, rows[row + 1]!);
      for (let column = 0; column < smaller.width; column++) {
        const leftX = columns[column]!;
        const rightX = Math.max(leftX + 1, columns[column + 1]!);
        let sum = 0;
        for (let y = topY; y < bottomY; y++)
          for (let x = leftX; x < rightX; x++) sum += i420[source + y * stride + x]!;
        to[target++] = Math.round(sum / ((bottomY - topY) * (rightX - leftX)));
      }
    }
    source += stride * (size.height / scale);
  }
}

/** Where each of `parts` begins and ends. */
const bounds = (from: number, length: number, parts: number): number[] =>
  Array.from({ length: parts + 1 }, (_, part) => from + Math.floor((part * length) / parts));
