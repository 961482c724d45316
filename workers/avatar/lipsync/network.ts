/*
 * A small recurrent network (one gated layer), as trained by train/train.py: each 10 ms it is shown the features and gives its outputs for
 * every lead at once. The weights are read once and shared; a session has only its state. Nothing is allocated after the start.
 */
import { readFileSync } from 'node:fs';

type Table = { shape: number[]; scale: number; numbers: string };
type WeightsFile = {
  leadsMs: number[];
  earlierHops: number[];
  visemes: string[];
  units: number;
} & Record<
  'input' | 'input_bias' | 'state' | 'state_bias' | 'output' | 'output_bias' | 'earlier',
  Table
>;

const file = JSON.parse(
  readFileSync(new URL('./weights.json', import.meta.url), 'utf8'),
) as WeightsFile;

export const LEADS_MS: readonly number[] = file.leadsMs;
export const VISEME_NAMES: readonly string[] = file.visemes;

const UNITS = file.units;
const OUTPUTS = file.visemes.length + 2;
const INPUTS = file.input.shape[0]!;
/** One row for each output, so that a product reads both sides in order. */
const INPUT = transposed(file.input);
const INPUT_BIAS = numbersOf(file.input_bias);
const STATE = transposed(file.state);
const STATE_BIAS = numbersOf(file.state_bias);
const OUTPUT = transposed(file.output);
const OUTPUT_BIAS = numbersOf(file.output_bias);
/** What is judged late is also judged from an earlier state: [first output, hops before, weights] for each such lead. */
const EARLIER = earlierOf(file);
const MEMORY = 1 + Math.max(...file.earlierHops);

export class Network {
  /** Raw, for lead 0 first: a logit for each viseme, then opening and rounding before the sigmoid. */
  readonly outputs = new Float64Array(OUTPUT_BIAS.length);
  /** The last MEMORY states; the newest is at `#newest`. */
  readonly #states = Array.from({ length: MEMORY }, () => new Float64Array(UNITS));
  #newest = 0;
  readonly #fromInput = new Float64Array(3 * UNITS);
  readonly #fromState = new Float64Array(3 * UNITS);
  readonly #late = new Float64Array(OUTPUTS);

  step(features: Float64Array) {
    const before = this.#states[this.#newest]!;
    this.#newest = (this.#newest + 1) % MEMORY;
    const state = this.#states[this.#newest]!;
    const fromInput = this.#fromInput;
    const fromState = this.#fromState;
    multiply(INPUT, features, INPUTS, fromInput);
    multiply(STATE, before, UNITS, fromState);
    for (let unit = 0; unit < UNITS; unit++) {
      const keep = sigmoid(fromInput[unit]! + INPUT_BIAS[unit]! + fromState[unit]!);
      const r = UNITS + unit;
      const reset = sigmoid(fromInput[r]! + INPUT_BIAS[r]! + fromState[r]!);
      const c = 2 * UNITS + unit;
      const inner = fromState[c]! + STATE_BIAS[unit]!;
      const candidate = Math.tanh(fromInput[c]! + INPUT_BIAS[c]! + reset * inner);
      state[unit] = candidate + keep * (before[unit]! - candidate);
    }
    multiply(OUTPUT, state, UNITS, this.outputs);
    for (let i = 0; i < OUTPUT_BIAS.length; i++) {
      this.outputs[i] = this.outputs[i]! + OUTPUT_BIAS[i]!;
    }
    for (const { first, hops, weights } of EARLIER) {
      const earlier = this.#states[(this.#newest + MEMORY - hops) % MEMORY]!;
      multiply(weights, earlier, UNITS, this.#late);
      for (let i = 0; i < this.#late.length; i++) {
        this.outputs[first + i] = this.outputs[first + i]! + this.#late[i]!;
      }
    }
  }
}

export function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/** `rows` holds one row of `width` for each element of `product`. */
function multiply(rows: Float64Array, vector: Float64Array, width: number, product: Float64Array) {
  const whole = width - (width % 4);
  for (let row = 0, at = 0; row < product.length; row++) {
    let a = 0;
    let b = 0;
    for (let i = 0; i < whole; i += 4, at += 4) {
      a += rows[at]! * vector[i]! + rows[at + 1]! * vector[i + 1]!;
      b += rows[at + 2]! * vector[i + 2]! + rows[at + 3]! * vector[i + 3]!;
    }
    for (let i = whole; i < width; i++, at++) a += rows[at]! * vector[i]!;
    product[row] = a + b;
  }
}

function numbersOf(table: Table): Float64Array {
  const bytes = Buffer.from(table.numbers, 'base64');
  return Float64Array.from(
    { length: bytes.length / 2 },
    (_, i) => bytes.readInt16LE(2 * i) * table.scale,
  );
}

function transposed(table: Table): Float64Array {
  const [rows, columns] = table.shape as [number, number];
  const numbers = numbersOf(table);
  return Float64Array.from(
    { length: numbers.length },
    (_, i) => numbers[(i % rows) * columns + Math.floor(i / rows)]!,
  );
}

function earlierOf({ earlierHops, earlier }: WeightsFile) {
  const rows = transposed(earlier);
  return earlierHops
    .map((hops, lead) => ({ first: lead * OUTPUTS, hops }))
    .filter(({ hops }) => hops > 0)
    .map((late, block) => ({
      ...late,
      weights: rows.subarray(block * OUTPUTS * UNITS, (block + 1) * OUTPUTS * UNITS),
    }));
}
