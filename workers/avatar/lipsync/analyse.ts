/*
 * Speech -> visemes, as it comes. Every 10 ms the newest 25 ms are measured and judged, so a judgement of the mouth at one moment is
 * first made with nothing heard after it and then again, better, when more has been heard (see `leadsMs` in the weights).
 */
import { Features } from './features.ts';
import { Network, sigmoid, type Weights, WEIGHTS } from './network.ts';
import { WINDOW_SAMPLES } from './spectrum.ts';

export const HOP_MS = 10;
export const HOP_SAMPLES = 160;

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

/** A judgement: how likely each viseme is, the jaw's opening, the lips' rounding, and how likely they are shut (all 0..1). */
export const OPENING = VISEMES.length;
export const ROUNDING = OPENING + 1;
export const PRESSED = OPENING + 2;
export const JUDGEMENT_SIZE = OPENING + 3;

/** Moments are in hops from the session's begin. The judgement's array is used again for the next one. */
export interface Listener {
  judged(hop: number, judgement: Float64Array): void;
  /** How loud the voice is then, 0..1 of its own level. */
  measured(hop: number, loudness: number): void;
}

export class Analysis {
  readonly #listener: Listener;
  readonly #features = new Features();
  readonly #network: Network;
  readonly #leadsMs: readonly number[];
  readonly #judgement = new Float64Array(JUDGEMENT_SIZE);
  /** The newest window, oldest sample first; what is still missing of the running hop is `#missing`. */
  readonly #window = new Float32Array(WINDOW_SAMPLES);
  #missing = HOP_SAMPLES;
  #hop = 0;

  constructor(listener: Listener, weights: Weights = WEIGHTS) {
    if (VISEMES.join() !== weights.visemes.join()) throw new Error('weights of other visemes');
    this.#listener = listener;
    this.#network = new Network(weights);
    this.#leadsMs = weights.leadsMs;
  }

  /** The next sample is the first of hop `hop`. The voice's level and the noise under it stay known. */
  goTo(hop: number) {
    this.#hop = hop;
    this.#missing = HOP_SAMPLES;
    this.#window.fill(0);
  }

  hear(samples: Int16Array) {
    for (let done = 0; done < samples.length;) {
      const taken = Math.min(this.#missing, samples.length - done);
      const start = WINDOW_SAMPLES - this.#missing;
      for (let i = 0; i < taken; i++) this.#window[start + i] = samples[done + i]! / 32_768;
      done += taken;
      this.#missing -= taken;
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

  #read(first: number) {
    const outputs = this.#network.outputs;
    const judgement = this.#judgement;
    let sum = 0;
    for (let i = 0; i < VISEMES.length; i++) {
      judgement[i] = Math.exp(Math.min(30, outputs[first + i]!));
      sum += judgement[i]!;
    }
    for (let i = 0; i < VISEMES.length; i++) judgement[i] = judgement[i]! / sum;
    for (let i = OPENING; i < JUDGEMENT_SIZE; i++) judgement[i] = sigmoid(outputs[first + i]!);
  }
}
