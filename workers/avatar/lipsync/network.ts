/*
 * A small recurrent network (one gated layer), as trained by train/train.py: each 10 ms it is shown the features and gives its outputs for
 * every lead at once. The weights are read once and shared; a session has only its state. Nothing is allocated after the start.
 */
import { readFileSync } from 'node:fs';
import { multiply, placeMatrix } from './matrix.ts';

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
const INPUT = placeMatrix(columnsOf(file.input));
const INPUT_BIAS = numbersOf(file.input_bias);
const STATE = placeMatrix(columnsOf(file.state));
const STATE_BIAS = numbersOf(file.state_bias);
const OUTPUT = placeMatrix(columnsOf(file.output));
const OUTPUT_BIAS = numbersOf(file.output_bias);
/** What is judged late is also judged from an earlier state: one block of columns for each such lead. */
const EARLIER = file.earlierHops
  .map((hops, lead) => ({ first: lead * OUTPUTS, hops }))
  .filter(({ hops }) => hops > 0)
  .map((late, block) => ({
    ...late,
    weights: placeMatrix(columnsOf(file.earlier).slice(block * OUTPUTS, (block + 1) * OUTPUTS)),
  }));
const MEMORY = 1 + Math.max(...file.earlierHops);

export class Network {
  /** Raw, for lead 0 first: a logit for each viseme, then opening and rounding before the sigmoid. */
  readonly outputs = new Float64Array(OUTPUT_BIAS.length);
  /** The last MEMORY states; the newest is at `#newest`. */
  readonly #states = Array.from({ length: MEMORY }, () => new Float32Array(UNITS));
  #newest = 0;
  readonly #gates = new Float64Array(3 * UNITS);

  step(features: Float32Array) {
    const before = this.#states[this.#newest]!;
    this.#newest = (this.#newest + 1) % MEMORY;
    const state = this.#states[this.#newest]!;
    const gates = this.#gates;
    const fromInput = multiply(INPUT, features);
    for (let i = 0; i < gates.length; i++) gates[i] = fromInput[i]! + INPUT_BIAS[i]!;
    const fromState = multiply(STATE, before);
    for (let unit = 0; unit < UNITS; unit++) {
      const r = UNITS + unit;
      const c = 2 * UNITS + unit;
      const keep = sigmoid(gates[unit]! + fromState[unit]!);
      const reset = sigmoid(gates[r]! + fromState[r]!);
      const candidate = Math.tanh(gates[c]! + reset * (fromState[c]! + STATE_BIAS[unit]!));
      state[unit] = candidate + keep * (before[unit]! - candidate);
    }
    const fromNow = multiply(OUTPUT, state);
    for (let i = 0; i < OUTPUT_BIAS.length; i++) this.outputs[i] = fromNow[i]! + OUTPUT_BIAS[i]!;
    for (const { first, hops, weights } of EARLIER) {
      const fromThen = multiply(weights, this.#states[(this.#newest + MEMORY - hops) % MEMORY]!);
      for (let i = 0; i < OUTPUTS; i++) {
        this.outputs[first + i] = this.outputs[first + i]! + fromThen[i]!;
      }
    }
  }
}

export function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

function numbersOf(table: Table): Float64Array {
  const bytes = Buffer.from(table.numbers, 'base64');
  return Float64Array.from(
    { length: bytes.length / 2 },
    (_, i) => bytes.readInt16LE(2 * i) * table.scale,
  );
}

function columnsOf(table: Table): Float64Array[] {
  const [rows, columns] = table.shape as [number, number];
  const numbers = numbersOf(table);
  return Array.from({ length: columns }, (_, column) =>
    Float64Array.from({ length: rows }, (_, row) => numbers[row * columns + column]!),
  );
}
