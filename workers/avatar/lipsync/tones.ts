/*
 * What tells music and hum from a voice, and a voice from noise, in each of a few regions of the spectrum: how far the strongest bin
 * stands over the mean, and how much changed within 20 ms. A note stays where it is; a voice glides.
 */
import { HALF } from './spectrum.ts';

/** In bins of 31.25 Hz: 0.1..1, 1..2, 2..4 and 4..7.6 kHz. */
const EDGES = [3, 32, 64, 128, 243] as const;
const REGIONS = EDGES.length - 1;
/** How many spectra lie between those that are compared, and one more. */
const BACK = 2;
const LITTLE = 1e-6;

export const TONES = 2 * REGIONS;

export class Tones {
  /** 0..1 each: how peaked each region is, then how much it changed. */
  readonly values = new Float64Array(TONES);
  readonly #past = Array.from({ length: BACK }, () => new Float64Array(HALF + 1));
  #oldest = 0;

  follow(power: Float64Array) {
    const before = this.#past[this.#oldest]!;
    for (let region = 0; region < REGIONS; region++) {
      const from = EDGES[region]!;
      const to = EDGES[region + 1]!;
      let sum = 0;
      let most = 0;
      let changed = 0;
      let both = LITTLE;
      for (let bin = from; bin < to; bin++) {
        const now = power[bin]!;
        const then = before[bin]!;
        sum += now;
        both += now + then;
        changed += now > then ? now - then : then - now;
        if (now > most) most = now;
      }
      this.values[region] = Math.log((most * (to - from) + LITTLE) / (sum + LITTLE)) / 5;
      this.values[REGIONS + region] = changed / both;
    }
    before.set(power);
    this.#oldest = (this.#oldest + 1) % BACK;
  }
}
