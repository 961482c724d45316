/* Matrix products in the memory of product.wasm, one instance per process, as 32-bit floats. */
import { readFileSync } from 'node:fs';

/** `count` rows of `width` numbers, zero-padded to a multiple of 8. `rows` is their address. */
export type Matrix = { rows: number; width: number; count: number };

/** One row per result, so that a product reads both operands sequentially. */
export function placeMatrix(rows: Float64Array[]): Matrix {
  const width = 8 * Math.ceil(rows[0]!.length / 8);
  const at = free;
  free += 4 * width * rows.length;
  const missing = free - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  const all = new Float32Array(memory.buffer, at, width * rows.length);
  rows.forEach((row, i) => all.set(row, i * width));
  // Growing the memory detaches its views.
  vectorView = new Float32Array(memory.buffer, VECTOR, LONGEST);
  productView = new Float32Array(memory.buffer, PRODUCT, LONGEST);
  return { rows: at, width, count: rows.length };
}

/** The result is valid until the next call. */
export function multiply({ rows, width, count }: Matrix, vector: Float32Array): Float32Array {
  vectorView.set(vector);
  // Leftovers behind a shorter vector are multiplied by the zero padding of the rows.
  kernel.multiply(rows, VECTOR, width, PRODUCT, count);
  return productView;
}

const PAGE = 65_536;
const LONGEST = 512;
const VECTOR = 1024;
const PRODUCT = VECTOR + 4 * LONGEST;
let free = PRODUCT + 4 * LONGEST;

const memory = new WebAssembly.Memory({ initial: 1 });
let vectorView = new Float32Array(memory.buffer, VECTOR, LONGEST);
let productView = new Float32Array(memory.buffer, PRODUCT, LONGEST);
const kernel = new WebAssembly.Instance(
  new WebAssembly.Module(readFileSync(new URL('./product/product.wasm', import.meta.url))),
  { env: { memory } },
).exports as { multiply: (...numbers: number[]) => void };
