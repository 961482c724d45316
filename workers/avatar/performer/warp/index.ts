/*
 * Warps a face, in AssemblyScript. `npm run build:warp` compiles it to warp.wasm. ../face.ts calls
 * it and lays out the memory.
 *
 * One instance holds one face. Its planes are 8-bit signed (value - 128, as the dot product
 * requires), colour multiplied by alpha, with a border of PAD pixels (PAD / 2 for chroma). A frame
 * is drawn in three steps:
 *   restore, add   fit mouth and eyes into a session's copy of the unwarped face, if they change
 *   field          convert the head pose to a displacement at each grid node
 *   warp           fetch each pixel from its source in the face; copy the background elsewhere
 *
 * The inner loops compute 8 pixels at once. Neighbours in the frame come from neighbours in the
 * face, so one load of 16 bytes and a byte shuffle replace 8 loads.
 */
import { colour } from './colour';
import { luma } from './luma';
import { height, width } from './state';

export { field } from './field';
export { add, restore } from './fit';
export { resampleBytes, resampleDifference } from './resample';
export { bias, halveDifference, halvePlane, widen } from './prepare';
export { setCamera, setFace } from './state';
export { zoom } from './zoom';

/**
 * Writes part of a frame over `background` to `out`; both are I420. Planes are given by the
 * address of their pixel (0, 0), the part in grid cells, all four numbers even. `opacity` is the
 * address of a plane for the opacity as grey, or 0.
 *
 * `drawn` (12 bytes per cell) remembers how `out` was drawn: a cell that moved by less than `hold`
 * stays as it is. `hold` is in pixels with 18 fractional bits; negative: all cells are drawn.
 * Returns the number of cells drawn.
 */
export function warp(
  y: usize,
  a: usize,
  u: usize,
  v: usize,
  halfA: usize,
  background: usize,
  out: usize,
  opacity: usize,
  drawn: usize,
  hold: i32,
  firstColumn: i32,
  firstRow: i32,
  endColumn: i32,
  endRow: i32,
): i32 {
  const pixels = <usize>(width * height);
  const count = luma(y, a, background, out, opacity, drawn, hold, firstColumn, firstRow, endColumn, endRow);
  if (count > 0)
    colour(u, v, halfA, background + pixels, out + pixels, drawn, firstColumn / 2, firstRow / 2, endColumn / 2, endRow / 2);
  return count;
}
