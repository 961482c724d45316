import { GRID_STEP } from '../../bundle/format.ts';
import type { Face } from '../../bundle/open-bundle.ts';

/** Cell kinds, as in warp/state.ts. */
const EMPTY = 0;
const SOLID = 1;
const EDGE = 2;

/** Alpha - 128 at which the face is invisible, and from which the background is. */
const CLEAR = -128;
const OPAQUE = 252 - 128;

/** Maximum displacement of a node in cells, plus one. */
const FARTHEST = 5;

/**
 * The warp's node table: six rows of f32, each padded to a multiple of 4. See `setFace` in
 * warp/state.ts.
 */
export function nodeTable({ manifest, depth, weight }: Face): Float32Array {
  const { width, height, camera, pivot } = manifest;
  const across = width / GRID_STEP + 1;
  const count = across * (height / GRID_STEP + 1);
  const row = Math.ceil(count / 4) * 4;
  const table = new Float32Array(6 * row);
  for (let node = 0; node < count; node++) {
    const x = (node % across) * GRID_STEP;
    const y = Math.floor(node / across) * GRID_STEP;
    const away =
      manifest.depth.near +
      ((depth[node] ?? 0) / 65_535) * (manifest.depth.far - manifest.depth.near);
    table[node] = ((x - camera.centreX) / camera.focal) * away - pivot[0];
    table[row + node] = ((camera.centreY - y) / camera.focal) * away - pivot[1];
    table[2 * row + node] = camera.distance - away - pivot[2];
    table[3 * row + node] = (weight[node] ?? 0) / 255;
    table[4 * row + node] = x;
    table[5 * row + node] = y;
  }
  return table;
}

/**
 * The kind of each cell, from the minimum and maximum alpha - 128 in it and its eight neighbours. A
 * cell of the frame reads no pixels farther from the source of its centre.
 */
export function cellKinds(
  least: Int8Array,
  most: Int8Array,
  across: number,
  down: number,
): Uint8Array {
  const kinds = new Uint8Array(across * down);
  for (let row = 0; row < down; row++) {
    for (let column = 0; column < across; column++) {
      let [low, high] = [127, -128];
      for (const cell of around(column, row, across, down)) {
        low = Math.min(low, least[cell]!);
        high = Math.max(high, most[cell]!);
      }
      kinds[row * across + column] = high === CLEAR ? EMPTY : low >= OPAQUE ? SOLID : EDGE;
    }
  }
  return kinds;
}

function* around(column: number, row: number, across: number, down: number) {
  for (let y = Math.max(0, row - 1); y <= Math.min(down - 1, row + 1); y++) {
    for (let x = Math.max(0, column - 1); x <= Math.min(across - 1, column + 1); x++) {
      yield y * across + x;
    }
  }
}

/** Marks the nodes around which pixels of the face may appear in any pose. */
export function neededNodes(kinds: Uint8Array, across: number, down: number): Uint8Array {
  const needed = new Uint8Array((across + 1) * (down + 1));
  kinds.forEach((kind, cell) => {
    if (kind === EMPTY) return;
    const column = cell % across;
    const row = Math.floor(cell / across);
    for (let y = Math.max(0, row - FARTHEST); y <= Math.min(down, row + FARTHEST + 1); y++) {
      needed.fill(
        1,
        y * (across + 1) + Math.max(0, column - FARTHEST),
        y * (across + 1) + Math.min(across, column + FARTHEST + 1) + 1,
      );
    }
  });
  return needed;
}
