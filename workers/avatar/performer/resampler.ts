import type { Taps } from './taps.ts';
import type { View } from './view.ts';
import { WarpMemory } from './warp-memory.ts';

type Plane = { bytes: Uint8Array; width: number; height: number };
type DifferencePlane = { values: Int16Array; width: number; height: number };

type Zoom = {
  /** I420 of the view around; with `behind`, its opacity is on its right. */
  picture: Uint8Array;
  around: View;
  /** Laid behind where the opacity is not full. */
  behind: { i420: Uint8Array; stride: number; rows: number } | null;
  /** Within the view around. */
  view: View;
  frame: Uint8Array;
  /** Whether the frame has its opacity on its right. */
  hasOpacity: boolean;
};

/** Scales planes of pictures in WebAssembly memory of its own. */
class Resampler {
  readonly #memory = new WarpMemory();

  /** The plane scaled to `columns` x `rows`. `zero` is the byte that stands for 0. */
  bytes({ bytes, width, height }: Plane, columns: Taps, rows: Taps, zero = 0): Uint8Array {
    this.#memory.clear();
    const from = this.#memory.put(bytes.subarray(0, width * height));
    const { columnsAt, rowsAt, scratch } = this.#tables(columns, rows, width);
    const to = this.#memory.claim(columns.count * rows.count);
    const [first, end] = reachOf(columns, width);
    const [columnCount, rowCount] = [columns.count, rows.count];
    this.#memory.warp.resampleBytes(
      to,
      columnCount,
      columns.start,
      columns.end,
      rowCount,
      from,
      width,
      first,
      end,
      columnsAt,
      columns.tapCount,
      rowsAt,
      rows.tapCount,
      scratch,
      zero,
    );
    return this.#memory.bytes.slice(to, to + columnCount * rowCount);
  }

  difference({ values, width }: DifferencePlane, columns: Taps, rows: Taps): Int16Array {
    this.#memory.clear();
    const from = this.#memory.put(values);
    const { columnsAt, rowsAt, scratch } = this.#tables(columns, rows, width);
    const count = columns.count * rows.count;
    const to = this.#memory.claim(2 * count);
    this.#memory.warp.resampleDifference(
      to,
      columns.count,
      rows.count,
      from,
      width,
      columnsAt,
      columns.tapCount,
      rowsAt,
      rows.tapCount,
      scratch,
    );
    return new Int16Array(this.#memory.bytes.slice(to, to + 2 * count).buffer);
  }

  /** Cuts the I420 frame of a view out of the picture of a larger one. */
  zoom({ picture, around, behind, view, frame, hasOpacity }: Zoom): void {
    this.#memory.clear();
    const from = this.#memory.put(picture);
    const behindAt = behind ? this.#memory.put(behind.i420) : 0;
    const to = this.#memory.claim(frame.length);
    const across = (behind ? 2 : 1) * around.width;
    const frameAcross = (hasOpacity ? 2 : 1) * view.width;
    const step = around.scale / view.scale;
    const plane = (
      source: { at: number; behindAt: number; part: 1 | 2 },
      target: number,
      isOpacity = false,
    ) => {
      const { part } = source;
      const start = (offset: number) => (offset * around.scale) / part + step / 2 - 0.5;
      this.#memory.warp.zoom(
        target,
        frameAcross / part,
        view.width / part,
        view.height / part,
        source.at,
        across / part,
        around.width / part,
        around.height / part,
        Math.round(65_536 * start(view.x - around.x)),
        Math.round(65_536 * start(view.y - around.y)),
        Math.round(65_536 * step),
        behind && !isOpacity ? from + around.width : 0,
        across,
        part - 1,
        source.behindAt,
        (behind?.stride ?? 0) / part,
        part === 1 ? 0 : 128,
      );
    };
    const pixels = across * around.height;
    const framePixels = frameAcross * view.height;
    const behindPixels = behind ? behind.stride * behind.rows : 0;
    plane({ at: from, behindAt, part: 1 }, to);
    if (hasOpacity) plane({ at: from + around.width, behindAt, part: 1 }, to + view.width, true);
    for (const share of [1, 1.25]) {
      const source = { at: from + share * pixels, behindAt: behindAt + share * behindPixels };
      plane({ ...source, part: 2 }, to + share * framePixels);
      if (hasOpacity) this.#grey(to + share * framePixels, frameAcross / 2, view);
    }
    frame.set(this.#memory.bytes.subarray(to, to + frame.length));
  }

  /** Fills the right half of a plane of chroma. */
  #grey(at: number, stride: number, { width, height }: View): void {
    for (let row = 0; row < height / 2; row++) {
      const start = at + row * stride + width / 2;
      this.#memory.bytes.fill(128, start, start + width / 2);
    }
  }

  #tables(columns: Taps, rows: Taps, width: number) {
    return {
      columnsAt: this.#memory.put(columns.table),
      rowsAt: this.#memory.put(rows.table),
      scratch: this.#memory.claim(4 * (width + columns.tapCount + 4)),
    };
  }
}

/** The source columns that are read, from a multiple of 4. */
function reachOf({ count, tapCount, table }: Taps, width: number): [number, number] {
  const firsts = new Int32Array(table.buffer, 0, count);
  const least = firsts.reduce((first, each) => Math.min(first, each), width);
  const most = firsts.reduce((last, each) => Math.max(last, each), 0);
  return [4 * Math.floor(least / 4), Math.min(width, most + tapCount)];
}

let shared: Resampler | undefined;

export const resampler = (): Resampler => (shared ??= new Resampler());
