/* The network's 32-bit arithmetic in the memory of kernel.wasm, one instance per process. */
import { readFileSync } from 'node:fs';

/**
 * Rows of `width` numbers, zero-padded to a multiple of 4. `count` is a multiple of ROWS: zero rows
 * follow. `rows` is their address.
 */
export type Matrix = { rows: number; width: number; count: number };

/** A GRU layer. `units` is a multiple of 4; biases are addresses. */
export type Recurrence = {
  units: number;
  input: Matrix;
  inputBias: number;
  state: Matrix;
  stateBias: number;
};

/** One row per result, so that a product reads both operands sequentially. */
export function placeMatrix(rows: Float64Array[]): Matrix {
  const width = upTo(LANES, rows[0]!.length);
  const count = upTo(ROWS, rows.length);
  const numbers = new Float32Array(width * count);
  rows.forEach((row, i) => numbers.set(row, i * width));
  return { rows: placeVector(numbers), width, count };
}

/** Its address. */
export function placeVector(numbers: ArrayLike<number>): number {
  const at = free;
  free += 4 * upTo(LANES, numbers.length);
  const missing = free - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  new Float32Array(memory.buffer, at, numbers.length).set(numbers);
  // Growing the memory detaches its views.
  vectorView = new Float32Array(memory.buffer, VECTOR, LONGEST);
  resultView = new Float32Array(memory.buffer, RESULT, LONGEST);
  return at;
}

/** The result is valid until the next call. */
export function multiply({ rows, width, count }: Matrix, vector: Float32Array): Float32Array {
  // Leftovers behind a shorter vector are multiplied by the zero padding of the rows.
  vectorView.set(vector);
  kernel.multiply(rows, VECTOR, width, RESULT, count);
  return resultView;
}

/** Writes the state that follows `previousState` to `newState`. */
export function advance(
  { units, input, inputBias, state, stateBias }: Recurrence,
  features: Float32Array,
  previousState: Float32Array,
  newState: Float32Array,
): void {
  vectorView.set(features);
  kernel.multiply(input.rows, VECTOR, input.width, FROM_INPUT, input.count);
  vectorView.set(previousState);
  kernel.multiply(state.rows, VECTOR, state.width, FROM_STATE, state.count);
  kernel.advance(units, FROM_INPUT, inputBias, FROM_STATE, stateBias, VECTOR, RESULT);
  for (let unit = 0; unit < units; unit++) newState[unit] = resultView[unit]!;
}

const upTo = (step: number, length: number): number => step * Math.ceil(length / step);

const LANES = 4;
/** That the kernel multiplies at once. */
const ROWS = 8;
const PAGE = 65_536;
const LONGEST = 512;
const VECTOR = 1024;
const RESULT = VECTOR + 4 * LONGEST;
const FROM_INPUT = RESULT + 4 * LONGEST;
const FROM_STATE = FROM_INPUT + 4 * LONGEST;
let free = FROM_STATE + 4 * LONGEST;

const memory = new WebAssembly.Memory({ initial: 1 });
let vectorView = new Float32Array(memory.buffer, VECTOR, LONGEST);
let resultView = new Float32Array(memory.buffer, RESULT, LONGEST);
const kernel = new WebAssembly.Instance(
  new WebAssembly.Module(readFileSync(new URL('./kernel/kernel.wasm', import.meta.url))),
  { env: { memory } },
).exports as Record<'multiply' | 'advance', (...numbers: number[]) => void>;
