import { type Tensor, tensor } from '../network/tensor.ts';
import type { Point } from './face-points.ts';

/** A square in a picture, turned by `angle` around its middle. */
export type Square = { middle: [x: number, y: number]; side: number; angle: number };

/** The square at a side of `size` pixels. What lies outside the picture is black. */
export function sampled(picture: Tensor, square: Square, size: number): Tensor {
  const result = tensor(size, size, picture.channels);
  const step = square.side / (size - 1);
  const [cos, sin] = [step * Math.cos(square.angle), step * Math.sin(square.angle)];
  const half = (size - 1) / 2;
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const across = square.middle[0] + (x - half) * cos - (y - half) * sin;
      const down = square.middle[1] + (x - half) * sin + (y - half) * cos;
      copyMixed(picture, across, down, result, (y * size + x) * picture.channels);
    }
  }
  return result;
}

/** Mixes the four pixels around a place. */
function copyMixed(picture: Tensor, x: number, y: number, into: Tensor, at: number): void {
  const { width, height, channels, values } = picture;
  const isInside = x >= 0 && y >= 0 && x <= width - 1 && y <= height - 1;
  if (!isInside) return;
  const [column, row] = [Math.floor(x), Math.floor(y)];
  const [across, down] = [x - column, y - row];
  const start = (row * width + column) * channels;
  const right = column < width - 1 ? channels : 0;
  const below = row < height - 1 ? width * channels : 0;
  for (let i = start; i < start + channels; i++) {
    const upper = values[i]! * (1 - across) + values[i + right]! * across;
    const lower = values[i + below]! * (1 - across) + values[i + below + right]! * across;
    into.values[at + i - start] = upper * (1 - down) + lower * down;
  }
}

/** From pixels of the sampled square to those of the picture. Depth is scaled alike. */
export function fromSquare([x, y, z]: Point, { middle, side, angle }: Square, size: number): Point {
  const scale = side / size;
  const [across, down] = [(x - size / 2) * scale, (y - size / 2) * scale];
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [middle[0] + cos * across - sin * down, middle[1] + sin * across + cos * down, z * scale];
}
