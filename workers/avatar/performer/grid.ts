import { GRID_STEP } from '../../bundle/format.ts';
import type { Face } from '../../bundle/open.ts';

/** As in warp/state.ts: what a cell of the face can show. */
const EMPTY = 0;
const SOLID = 1;
const EDGE = 2;

/** Alpha, less 128: at which nothing of the face is seen, and from which nothing of the background is. */
const CLEAR = -128;
const OPAQUE = 252 - 128;

/** Cells that a node may be moved by, and one more. */
const FARTHEST = 5;

/** Where each node stands in space and in the picture, as the warp wants it: six rows of f32, each a multiple of 4 long. */
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
 * What each cell of the face can show, of the least and the most alpha (less 128) in it and in its eight neighbours: a cell of the picture takes its pixels from
 * no farther around the place that its middle comes from.
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

/** Nodes that a pixel of the face may lie beside, wherever the head turns. */
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
