import { readFileSync } from 'node:fs';

const PAGE = 65_536;
const ALIGNED = 64;

/** Exports of warp/index.ts. Addresses refer to its memory. */
export type Warp = {
  setFace(
    width: number,
    height: number,
    nodes: number,
    nodeCount: number,
    needed: number,
    classes: number,
    dirty: number,
    forward: number,
    backward: number,
  ): void;
  setCamera(
    focal: number,
    centreX: number,
    centreY: number,
    distance: number,
    pivotX: number,
    pivotY: number,
    pivotZ: number,
  ): void;
  restore(to: number, from: number, stride: number, columns: number, rows: number): void;
  add(
    to: number,
    stride: number,
    from: number,
    columns: number,
    rows: number,
    weight: number,
  ): void;
  bias(at: number, length: number): void;
  halvePlane(to: number, from: number, stride: number, rows: number): void;
  halveDifference(to: number, from: number, columns: number, rows: number): void;
  widen(
    plane: number,
    x: number,
    y: number,
    columns: number,
    rows: number,
    least: number,
    most: number,
  ): void;
  resampleBytes(
    to: number,
    columns: number,
    start: number,
    end: number,
    rows: number,
    from: number,
    fromStride: number,
    firstColumn: number,
    lastColumn: number,
    columnTaps: number,
    columnTapCount: number,
    rowTaps: number,
    rowTapCount: number,
    scratch: number,
    offset: number,
  ): void;
  resampleDifference(
    to: number,
    columns: number,
    rows: number,
    from: number,
    fromStride: number,
    columnTaps: number,
    columnTapCount: number,
    rowTaps: number,
    rowTapCount: number,
    scratch: number,
  ): void;
  zoom(
    to: number,
    toStride: number,
    columns: number,
    rows: number,
    from: number,
    fromStride: number,
    fromColumns: number,
    fromRows: number,
    x: number,
    y: number,
    step: number,
    opacity: number,
    opacityStride: number,
    opacityShift: number,
    behind: number,
    behindStride: number,
    zero: number,
  ): void;
  field(...turnShiftBreathWider: number[]): void;
  warp(
    y: number,
    a: number,
    u: number,
    v: number,
    halfA: number,
    background: number,
    out: number,
    opacity: number,
    drawn: number,
    hold: number,
    firstColumn: number,
    firstRow: number,
    endColumn: number,
    endRow: number,
  ): number;
};

let compiled: WebAssembly.Module | undefined;

/** A WebAssembly instance of the warp with its memory, an arena that only grows. */
export class WarpMemory {
  readonly warp: Warp;
  readonly #memory = new WebAssembly.Memory({ initial: 1, maximum: 16_384 });
  #bytes = new Uint8Array(this.#memory.buffer);
  #end = ALIGNED;

  constructor() {
    compiled ??= new WebAssembly.Module(readFileSync(new URL('./warp/warp.wasm', import.meta.url)));
    const instance = new WebAssembly.Instance(compiled, { env: { memory: this.#memory } });
    this.warp = instance.exports as unknown as Warp;
  }

  /** The whole memory. Do not keep it across `claim`, which may detach it. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes;
  }

  put(values: Uint8Array | Int8Array | Int16Array | Float32Array): number {
    const at = this.claim(values.byteLength);
    this.#bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at);
    return at;
  }

  /** Gives all memory back. What is claimed later is not zeroed. */
  clear(): void {
    this.#end = ALIGNED;
  }

  /**
   * Returns zeroed, aligned memory with some spare bytes after it: the warp's loads may reach
   * beyond a plane's end.
   */
  claim(bytes: number): number {
    const at = this.#end;
    this.#end = Math.ceil((at + bytes + ALIGNED) / ALIGNED) * ALIGNED;
    const missing = this.#end - this.#memory.buffer.byteLength;
    if (missing > 0) {
      this.#memory.grow(Math.ceil(missing / PAGE));
      this.#bytes = new Uint8Array(this.#memory.buffer);
    }
    return at;
  }
}
