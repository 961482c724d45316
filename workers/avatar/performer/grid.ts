import { GRID_STEP } from '../../bundle/format.ts';
import type { Face } from '../../bundle/open-bundle.ts';
import type { View } from './view.ts';

/** Cell kinds, as in warp/state.ts. */
const EMPTY = 0;
const SOLID = 1;
const EDGE = 2;

/** Alpha - 128 at which the face is invisible, and from which the background is. */
const CLEAR = -128;
const OPAQUE = 252 - 128;

/**
 * The warp's node table for a frame: six rows of f32, each padded to a multiple of 4. See `setFace`
 * in warp/state.ts.
 */
export function nodeTable(
  { manifest, depth, weight }: Face,
  view: View,
  frame: { width: number; height: number },
): Float32Array {
  const { camera, pivot } = manifest;
  const across = frame.width / GRID_STEP + 1;
  const count = across * (frame.height / GRID_STEP + 1);
  const row = Math.ceil(count / 4) * 4;
  const table = new Float32Array(6 * row);
  for (let node = 0; node < count; node++) {
    const x = (node % across) * GRID_STEP;
    const y = Math.floor(node / across) * GRID_STEP;
    const [pictureX, pictureY] = [view.x + x / view.scale, view.y + y / view.scale];
    const distance =
      manifest.depth.near +
      (nodeValueAt(depth, manifest, pictureX, pictureY) / 65_535) *
        (manifest.depth.far - manifest.depth.near);
    table[node] = ((pictureX - camera.centreX) / camera.focal) * distance - pivot[0];
    table[row + node] = ((camera.centreY - pictureY) / camera.focal) * distance - pivot[1];
    table[2 * row + node] = camera.distance - distance - pivot[2];
    table[3 * row + node] = nodeValueAt(weight, manifest, pictureX, pictureY) / 255;
    table[4 * row + node] = x;
    table[5 * row + node] = y;
  }
  return table;
}

/** The value at a place of the picture, between its grid nodes. */
function nodeValueAt(
  values: Uint16Array | Uint8Array,
  { width, height }: { width: number; height: number },
  x: number,
  y: number,
): number {
  const across = width / GRID_STEP + 1;
  const column = Math.min(width, Math.max(0, x)) / GRID_STEP;
  const row = Math.min(height, Math.max(0, y)) / GRID_STEP;
  const left = Math.min(across - 2, Math.floor(column));
  const top = Math.min(height / GRID_STEP - 1, Math.floor(row));
  const at = (c: number, r: number) => values[r * across + c]!;
  const [right, down] = [column - left, row - top];
  const upper = at(left, top) * (1 - right) + at(left + 1, top) * right;
  const lower = at(left, top + 1) * (1 - right) + at(left + 1, top + 1) * right;
  return upper * (1 - down) + lower * down;
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
  const size = { across, down, reach: 1 };
  // The complement turns the greatest into the least.
  const low = greatestNear(least.map(complement), size).map(complement);
  const high = greatestNear(most, size);
  const kinds = new Uint8Array(low.length);
  for (let cell = 0; cell < kinds.length; cell++)
    kinds[cell] = high[cell] === CLEAR ? EMPTY : low[cell]! >= OPAQUE ? SOLID : EDGE;
  return kinds;
}

const complement = (value: number) => ~value;

/**
 * Marks the nodes around which pixels of the face may appear in any pose. `farthest` is the maximum
 * displacement of a node in cells, plus one.
 */
export function neededNodes(
  kinds: Uint8Array,
  across: number,
  down: number,
  farthest: number,
): Uint8Array {
  const corners = new Int8Array((across + 1) * (down + 1));
  for (let cell = 0; cell < kinds.length; cell++) {
    if (kinds[cell] === EMPTY) continue;
    const node = cell + Math.floor(cell / across);
    corners[node] = corners[node + 1] = 1;
    corners[node + across + 1] = corners[node + across + 2] = 1;
  }
  const size = { across: across + 1, down: down + 1, reach: farthest };
  return new Uint8Array(greatestNear(corners, size).buffer);
}

type Field = { across: number; down: number; reach: number };

/** The greatest value at most `reach` columns and rows away from each. */
function greatestNear(values: Int8Array, { across, down, reach }: Field): Int8Array {
  const inRows = new Int8Array(values.length);
  const result = new Int8Array(values.length);
  for (let row = 0; row < down; row++)
    greatestInLine(values, inRows, { at: row * across, step: 1, count: across, reach });
  for (let column = 0; column < across; column++)
    greatestInLine(inRows, result, { at: column, step: across, count: down, reach });
  return result;
}

function greatestInLine(
  from: Int8Array,
  to: Int8Array,
  { at, step, count, reach }: { at: number; step: number; count: number; reach: number },
): void {
  for (let i = 0; i < count; i++) {
    const end = Math.min(count - 1, i + reach);
    let greatest = -128;
    for (let j = Math.max(0, i - reach); j <= end; j++) {
      const value = from[at + j * step]!;
      if (value > greatest) greatest = value;
    }
    to[at + i * step] = greatest;
  }
}
