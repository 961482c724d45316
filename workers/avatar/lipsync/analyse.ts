/*
 * Speech -> visemes, as it comes. Every 10 ms the newest 25 ms are measured and judged, so a judgement of the mouth at one moment is
 * first made with nothing heard after it and then again, better, when more has been heard (see `LEADS_MS`).
 */
import { BANDS, Spectrum, WINDOW_SAMPLES } from './spectrum.ts';

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

/** A judgement: how likely each viseme is, then the jaw's opening, the lips' rounding and the loudness (all 0..1). */
export const OPENING = VISEMES.length;
export const ROUNDING = OPENING + 1;
export const LOUDNESS = OPENING + 2;
export const JUDGEMENT_SIZE = OPENING + 3;

/** How much has been heard after the moment that is judged: nothing when speech comes at its own pace, more when it comes early. */
export const LEADS_MS = [0, 20] as const;

type OnJudgement = (hop: number, judgement: Float32Array) => void;

export class Analysis {
  readonly #onJudgement: OnJudgement;
  readonly #spectrum = new Spectrum();
  readonly #bands = new Float64Array(BANDS);
  readonly #judgement = new Float32Array(JUDGEMENT_SIZE);
  /** The newest window, oldest sample first; what is still missing of the running hop is `#missing`. */
  readonly #window = new Float32Array(WINDOW_SAMPLES);
  #missing = HOP_SAMPLES;
  #hop = 0;
  #peak = QUIETEST_PEAK;
  #floor = 1e-9;

  constructor(onJudgement: OnJudgement) {
    this.#onJudgement = onJudgement;
  }

  /** Forgets what was heard: the next sample is the first of hop `hop`, counted from the session's begin. */
  restart(hop: number) {
    this.#hop = hop;
    this.#missing = HOP_SAMPLES;
    this.#window.fill(0);
  }

  /** `null` stands for silence. */
  hear(samples: Int16Array | null, count = samples?.length ?? 0) {
    for (let done = 0; done < count;) {
      const taken = Math.min(this.#missing, count - done);
      const start = WINDOW_SAMPLES - this.#missing;
      for (let i = 0; i < taken; i++) {
        this.#window[start + i] = samples ? samples[done + i]! / 32_768 : 0;
      }
      done += taken;
      this.#missing -= taken;
      if (this.#missing === 0) this.#judge();
    }
  }

  #judge() {
    this.#spectrum.measure(this.#window, 0, this.#bands);
    this.#window.copyWithin(0, HOP_SAMPLES);
    this.#missing = HOP_SAMPLES;
    this.#hop += 1;
    this.#weigh();
    for (const lead of LEADS_MS) this.#onJudgement(this.#hop - lead / HOP_MS, this.#judgement);
  }

  #weigh() {
    const judgement = this.#judgement.fill(0);
    const low = this.#sum(1, 7);
    const middle = this.#sum(9, 14);
    const high = this.#sum(16, 22);
    const total = low + middle + high + this.#sum(0, 1);
    this.#peak = Math.max(total, this.#peak * 0.998, QUIETEST_PEAK);
    this.#floor = total < this.#floor ? total : Math.min(this.#floor * 1.02, this.#peak);
    const level = total / this.#peak;
    const loudness = Math.max(0, Math.min(1, 1 + Math.log10(level + 1e-9) / 3));
    if (level < 0.003 || total < this.#floor * 4) {
      judgement[VISEMES.indexOf('sil')] = 1;
      return;
    }
    judgement[LOUDNESS] = loudness;
    if (high > (low + middle) * 0.6) {
      judgement[VISEMES.indexOf('SS')] = 1;
      judgement[OPENING] = 0.15;
      return;
    }
    if (level < 0.03 && middle < low * 0.02) {
      judgement[VISEMES.indexOf('PP')] = 1;
      return;
    }
    // The first formant rises as the jaw falls; the second one as the lips spread.
    const jaw = this.#sum(5, 9) / (this.#sum(1, 5) + 1e-12);
    const back = this.#sum(8, 11);
    const front = this.#sum(12, 16);
    judgement[OPENING] = Math.max(0.2, Math.min(1, 0.25 + 0.3 * jaw)) * loudness;
    const shape = jaw > 1 ? 'aa' : front > back ? 'I' : 'U';
    judgement[VISEMES.indexOf(shape)] = 1;
    judgement[ROUNDING] = shape === 'U' ? 1 : 0;
  }

  #sum(from: number, to: number) {
    let sum = 0;
    for (let band = from; band < to; band++) sum += this.#bands[band]!;
    return sum;
  }
}

const QUIETEST_PEAK = 1e-6;
