/*
 * Turns a face: AssemblyScript, built to warp.wasm by `npm run build:warp`; called by ../face.ts, which lays out the memory.
 *
 * One instance holds one face. Its planes are 8 bits, signed (less 128: the dot product wants it so), with PAD pixels of border all
 * around (PAD / 2 for colour), colour multiplied by alpha.
 * A picture is made in three steps:
 *   restore, add   mouth and eyes are fitted into a session's own copy of the face, before it is turned, and only when they change
 *   field          a pose of the head becomes a displacement at each node of the grid: where in the face does this place come from?
 *   warp           every pixel that the face can reach is fetched from there; the others show the background
 *
 * The inner loops make 8 pixels at once. Pixels that are neighbours in the picture come from neighbours in the face, so one load of 16
 * bytes and a byte shuffle replace 8 separate loads.
 */
import { colour } from './colour';
import { luma } from './luma';
import { height, width } from './state';

export { field } from './field';
export { add, restore } from './fit';
export { bias, halveDifference, halvePlane, widen } from './prepare';
export { setCamera, setFace } from './state';

/**
 * Writes a part of the picture into `out`, before the `background`; both are I420. Planes are given by the address of their pixel (0, 0), the
 * part in cells of the grid, all four numbers even.
 */
export function warp(
  y: usize,
  a: usize,
  u: usize,
  v: usize,
  halfA: usize,
  background: usize,
  out: usize,
  firstColumn: i32,
  firstRow: i32,
  endColumn: i32,
  endRow: i32,
): void {
  const pixels = <usize>(width * height);
  luma(y, a, background, out, firstColumn, firstRow, endColumn, endRow);
  colour(u, v, halfA, background + pixels, out + pixels, firstColumn / 2, firstRow / 2, endColumn / 2, endRow / 2);
}
