import type { Face } from '../../bundle/open-bundle.ts';
import type { WarpMemory } from './warp-memory.ts';

/** PAD in warp/state.ts. No pose moves any pixel farther, even in a frame of 1920 pixels. */
export const BORDER = 80;

/** Addresses of a session's or the base's planes, border included. */
export type Planes = { y: number; a: number; u: number; v: number; halfA: number };

type Size = { width: number; height: number };

export function claimPlanes(memory: WarpMemory, { width, height }: Size): Planes {
  const full = (width + 2 * BORDER) * (height + 2 * BORDER);
  return {
    y: memory.claim(full),
    a: memory.claim(full),
    u: memory.claim(full / 4),
    v: memory.claim(full / 4),
    halfA: memory.claim(full / 4),
  };
}

/** Lays out a picture in planes. */
export function putPlanes(
  memory: WarpMemory,
  at: Planes,
  { y, a, u, v }: Face['base'],
  { width, height }: Size,
): void {
  const half = { width: width / 2, height: height / 2 };
  putBordered(memory, at.y, y, { width, height }, BORDER);
  putBordered(memory, at.a, a, { width, height }, BORDER);
  putBordered(memory, at.u, u, half, BORDER / 2);
  putBordered(memory, at.v, v, half, BORDER / 2);
  memory.warp.halvePlane(at.halfA, at.a, width + 2 * BORDER, height + 2 * BORDER);
}

/** Repeats the edge pixels in the border: rising shoulders continue below the picture. */
function putBordered(
  memory: WarpMemory,
  at: number,
  plane: Uint8Array,
  { width, height }: Size,
  border: number,
): void {
  const stride = width + 2 * border;
  for (let row = -border; row < height + border; row++) {
    const inside = Math.min(height - 1, Math.max(0, row)) * width;
    const to = at + (row + border) * stride;
    memory.bytes.fill(plane[inside]!, to, to + border);
    memory.bytes.set(plane.subarray(inside, inside + width), to + border);
    memory.bytes.fill(plane[inside + width - 1]!, to + border + width, to + stride);
  }
  memory.warp.bias(at, stride * (height + 2 * border));
}
