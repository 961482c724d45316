import { Features } from './features.ts';
import { Network, sigmoid, type Weights, WEIGHTS } from './network.ts';
import { HEARING_RATE } from '#protocol/audio.ts';
import { WINDOW_SAMPLES } from './spectrum.ts';

export const HOP_MS = 10;
export const HOP_SAMPLES = (HEARING_RATE * HOP_MS) / 1000;

export const VISEMES = [
  'sil',
  'PP',
  'FF',
  'TH',
  'DD',
  'kk',
  'CH',
  'SS',
  'nn',
  'RR',
  'aa',
  'E',
  'I',
  'O',
  'U',
] as const;
export type Viseme = (typeof VISEMES)[number];

/**
 * Layout of an estimate, all 0..1: the probability of each viseme, jaw opening, lip rounding, the
 * probability of shut lips.
 */
export const OPENING = VISEMES.length;
export const ROUNDING = OPENING + 1;
export const PRESSED = OPENING + 2;
export const JUDGEMENT_SIZE = OPENING + 3;

/** Times are in hops from the start of the session. The array is reused for the next estimate. */
interface Listener {
  judged(hop: number, judgement: Float64Array): void;
  /** Loudness relative to the voice's level, 0..1. */
  measured(hop: number, loudness: number): void;
}

/**
 * Estimates visemes from a stream of speech. Each hop evaluates the newest 25 ms. Every time is
 * estimated several times: first with nothing heard after it, then again, more accurately, with
 * more context (`leadsMs` in the weights).
 */
export class Analysis {
  readonly #listener: Listener;
  readonly #features = new Features();
  readonly #network: Network;
  readonly #leadsMs: readonly number[];
  readonly #judgement = new Float64Array(JUDGEMENT_SIZE);
  /** The newest window, oldest sample first. The current hop lacks `#missing` samples. */
  readonly #window = new Float32Array(WINDOW_SAMPLES);
  #missing = HOP_SAMPLES;
  #hop = 0;

  constructor(listener: Listener, weights: Weights = WEIGHTS) {
    if (VISEMES.join() !== weights.visemes.join())
      throw new Error('the weights are for other visemes');
    this.#listener = listener;
    this.#network = new Network(weights);
    this.#leadsMs = weights.leadsMs;
  }

  /** The next sample is the first of hop `hop`. Keeps the levels of voice and noise. */
  goTo(hop: number) {
    this.#hop = hop;
    this.#missing = HOP_SAMPLES;
    this.#window.fill(0);
  }

  hear(samples: Int16Array) {
    for (let done = 0; done < samples.length;) {
      const count = Math.min(this.#missing, samples.length - done);
      const start = WINDOW_SAMPLES - this.#missing;
      for (let i = 0; i < count; i++) this.#window[start + i] = samples[done + i]! / 32_768;
      done += count;
      this.#missing -= count;
      if (this.#missing === 0) this.#listen();
    }
  }

  #listen() {
    this.#features.follow(this.#window);
    this.#window.copyWithin(0, HOP_SAMPLES);
    this.#missing = HOP_SAMPLES;
    this.#hop += 1;
    this.#network.step(this.#features.values);
    this.#listener.measured(this.#hop, this.#features.loudness);
    for (let lead = 0; lead < this.#leadsMs.length; lead++) {
      this.#read(lead * JUDGEMENT_SIZE);
      this.#listener.judged(this.#hop - this.#leadsMs[lead]! / HOP_MS, this.#judgement);
    }
  }

  #read(start: number) {
    const outputs = this.#network.outputs;
    const judgement = this.#judgement;
    let sum = 0;
    for (let i = 0; i < VISEMES.length; i++) {
      judgement[i] = Math.exp(Math.min(30, outputs[start + i]!));
      sum += judgement[i]!;
    }
    for (let i = 0; i < VISEMES.length; i++) judgement[i] = judgement[i]! / sum;
    for (let i = OPENING; i < JUDGEMENT_SIZE; i++) judgement[i] = sigmoid(outputs[start + i]!);
  }
}
