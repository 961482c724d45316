import { GRID_STEP, type Rectangle } from '../../bundle/format.ts';
import { cellKinds, neededNodes } from './grid.ts';
import type { WarpMemory } from './warp-memory.ts';

type CellMapOptions = {
  /** How many cells a pose moves a pixel at most, plus one. */
  farthestCells: number;
  /** Offset of pixel (0, 0) in a plane. */
  alphaStart: number;
};

/**
 * Which cells of a frame show the face, the background, or both, over all sprites laid out so far.
 */
export class CellMap {
  readonly kindsAt: number;
  readonly neededAt: number;
  /** The pixels around which the face may appear in any pose, aligned for `FaceMemory.draw`. */
  figure: Rectangle = { x: 0, y: 0, width: 0, height: 0 };
  readonly #memory: WarpMemory;
  readonly #across: number;
  readonly #down: number;
  readonly #leastAt: number;
  readonly #mostAt: number;
  readonly #options: CellMapOptions;
  #emptyCount = -1;

  constructor(
    memory: WarpMemory,
    { width, height }: { width: number; height: number },
    options: CellMapOptions,
  ) {
    this.#memory = memory;
    this.#options = options;
    this.#across = width / GRID_STEP;
    this.#down = height / GRID_STEP;
    const cellCount = this.#across * this.#down;
    this.kindsAt = memory.claim(cellCount);
    this.neededAt = memory.claim((this.#across + 1) * (this.#down + 1));
    this.#leastAt = memory.put(new Int8Array(cellCount).fill(127));
    this.#mostAt = memory.put(new Int8Array(cellCount).fill(-128));
  }

  /** Includes the outline of a plane of alpha within `area`, aligned to cells across. */
  include(alphaPlane: number, { x, y, width, height }: Rectangle): void {
    const alpha = alphaPlane + this.#options.alphaStart;
    this.#memory.warp.widen(alpha, x, y, width, height, this.#leastAt, this.#mostAt);
    const kinds = cellKinds(
      this.#signed(this.#leastAt),
      this.#signed(this.#mostAt),
      this.#across,
      this.#down,
    );
    this.#memory.bytes.set(kinds, this.kindsAt);
    const emptyCount = kinds.reduce((count, kind) => (kind === 0 ? count + 1 : count), 0);
    if (emptyCount === this.#emptyCount) return;
    this.#emptyCount = emptyCount;
    const needed = neededNodes(kinds, this.#across, this.#down, this.#options.farthestCells);
    this.#memory.bytes.set(needed, this.neededAt);
    this.figure = this.#around(needed);
  }

  #signed(at: number): Int8Array {
    return new Int8Array(this.#memory.bytes.buffer, at, this.#across * this.#down);
  }

  /** The pairs of cells at the nodes that are needed. */
  #around(needed: Uint8Array): Rectangle {
    const nodesAcross = this.#across + 1;
    let [left, top, right, bottom] = [nodesAcross, this.#down + 1, -1, -1];
    needed.forEach((isNeeded, node) => {
      if (!isNeeded) return;
      const column = node % nodesAcross;
      const row = Math.floor(node / nodesAcross);
      left = Math.min(left, column);
      right = Math.max(right, column);
      top = Math.min(top, row);
      bottom = Math.max(bottom, row);
    });
    if (right < 0) return { x: 0, y: 0, width: 0, height: 0 };
    const [x, y] = [even(Math.max(0, left - 1)), even(Math.max(0, top - 1))];
    const endX = Math.min(this.#across, even(right + 2));
    const endY = Math.min(this.#down, even(bottom + 2));
    return {
      x: x * GRID_STEP,
      y: y * GRID_STEP,
      width: (endX - x) * GRID_STEP,
      height: (endY - y) * GRID_STEP,
    };
  }
}

const even = (cell: number) => 2 * Math.floor(cell / 2);
