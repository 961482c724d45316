import { readFileSync } from 'node:fs';
import {
  advance,
  type Matrix,
  multiply,
  placeMatrix,
  placeVector,
  type Recurrence,
} from './arithmetic.ts';

type Table = { shape: number[]; scale: number; numbers: string };
type WeightsFile = {
  leadsMs: number[];
  earlierHops: number[];
  visemes: string[];
} & Record<
  'input' | 'input_bias' | 'state' | 'state_bias' | 'output' | 'output_bias' | 'earlier',
  Table
>;

/** Late leads also read an earlier state, each through its own block of columns. */
type LateLead = { firstOutput: number; hops: number; weights: Matrix; outputs: number };

export type Weights = {
  leadsMs: readonly number[];
  visemes: readonly string[];
  recurrence: Recurrence;
  output: Matrix;
  outputBias: Float64Array;
  lateLeads: LateLead[];
};

export function readWeights(path: string | URL): Weights {
  const file = JSON.parse(readFileSync(path, 'utf8')) as WeightsFile;
  const outputBias = numbersOf(file.output_bias);
  const outputs = outputBias.length / file.leadsMs.length;
  return {
    leadsMs: file.leadsMs,
    visemes: file.visemes,
    recurrence: {
      units: file.state.shape[0]!,
      input: placeMatrix(columnsOf(file.input)),
      inputBias: placeVector(numbersOf(file.input_bias)),
      state: placeMatrix(columnsOf(file.state)),
      stateBias: placeVector(numbersOf(file.state_bias)),
    },
    output: placeMatrix(columnsOf(file.output)),
    outputBias,
    lateLeads: file.earlierHops
      .map((hops, lead) => ({ firstOutput: lead * outputs, hops }))
      .filter(({ hops }) => hops > 0)
      .map((late, block) => ({
        ...late,
        outputs,
        weights: placeMatrix(columnsOf(file.earlier).slice(block * outputs, (block + 1) * outputs)),
      })),
  };
}

/** The shipped weights, trained on all voices. */
export const WEIGHTS = readWeights(new URL('./weights.json', import.meta.url));

/**
 * A small recurrent network (one GRU layer), trained by workers/studio/training/train.py. Each step
 * takes the features of a hop and computes the outputs of all leads. The weights are shared by all
 * sessions. Allocates nothing after construction.
 */
export class Network {
  /** By lead: a logit for each viseme, then opening, rounding and shut lips before the sigmoid. */
  readonly outputs: Float64Array;
  readonly #weights: Weights;
  /** Ring buffer of states. The latest is at `#newest`. */
  readonly #states: Float32Array[];
  #newest = 0;

  constructor(weights: Weights) {
    this.#weights = weights;
    this.outputs = new Float64Array(weights.outputBias.length);
    const memory = 2 + Math.max(0, ...weights.lateLeads.map(({ hops }) => hops));
    this.#states = Array.from({ length: memory }, () => new Float32Array(weights.recurrence.units));
  }

  step(features: Float32Array) {
    const { recurrence, output, outputBias, lateLeads } = this.#weights;
    const memory = this.#states.length;
    const previousState = this.#states[this.#newest]!;
    this.#newest = (this.#newest + 1) % memory;
    const state = this.#states[this.#newest]!;
    advance(recurrence, features, previousState, state);
    const fromNow = multiply(output, state);
    for (let i = 0; i < outputBias.length; i++) this.outputs[i] = fromNow[i]! + outputBias[i]!;
    for (const { firstOutput, hops, weights, outputs } of lateLeads) {
      const fromThen = multiply(weights, this.#states[(this.#newest + memory - hops) % memory]!);
      for (let i = 0; i < outputs; i++) {
        this.outputs[firstOutput + i] = this.outputs[firstOutput + i]! + fromThen[i]!;
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
