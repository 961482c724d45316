import { HALF } from './spectrum.ts';

/** Regions in bins of 31.25 Hz: 0.1..1, 1..2, 2..4 and 4..7.6 kHz. */
const EDGES = [3, 32, 64, 128, 243] as const;
const REGIONS = EDGES.length - 1;
/** Distance in hops of the compared spectra. */
const BACK = 2;
const LITTLE = 1e-6;

export const TONES = 2 * REGIONS;

/**
 * Features that separate voices from music, hum and noise: in each region of the spectrum, how far
 * the strongest bin exceeds the mean, and how much changed within 20 ms. Notes are steady; voices
 * glide.
 */
export class Tones {
  /** 0..1 each: peakedness of each region, then its change. */
  readonly values = new Float64Array(TONES);
  readonly #past = Array.from({ length: BACK }, () => new Float64Array(HALF + 1));
  #oldest = 0;

  follow(power: Float64Array) {
    const pastPower = this.#past[this.#oldest]!;
    for (let region = 0; region < REGIONS; region++) {
      const from = EDGES[region]!;
      const to = EDGES[region + 1]!;
      let sum = 0;
      let most = 0;
      let changed = 0;
      let total = LITTLE;
      for (let bin = from; bin < to; bin++) {
        const now = power[bin]!;
        const past = pastPower[bin]!;
        sum += now;
        total += now + past;
        changed += now > past ? now - past : past - now;
        if (now > most) most = now;
      }
      this.values[region] = Math.log((most * (to - from) + LITTLE) / (sum + LITTLE)) / 5;
      this.values[REGIONS + region] = changed / total;
    }
    pastPower.set(power);
    this.#oldest = (this.#oldest + 1) % BACK;
  }
}
