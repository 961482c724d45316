/*
 * What the network is shown of one spectrum. Speech may be loud or soft and stand over any noise, so everything is relative: to the
 * level of the voice (rises at once, falls slowly) and to the noise under it (falls fast, rises slowly).
 */
import { BANDS } from './spectrum.ts';

/** Neighbouring bands whose noise is followed together. */
const GROUPS = [0, 3, 6, 10, 14, 18, BANDS] as const;
const GROUP_COUNT = GROUPS.length - 1;

export const FEATURES = BANDS + GROUP_COUNT + 2;

export class Features {
  /** About -1..1 each, for the newest spectrum: bands under the voice's level, groups over the noise, the whole of both. */
  readonly values = new Float32Array(FEATURES);
  /** How loud the voice is now, 0..1 of its own level. */
  loudness = 0;

  #level = LOWEST_LEVEL;
  readonly #noise = new Float64Array(GROUP_COUNT).fill(QUIET);
  #allNoise = QUIET;

  follow(bands: Float64Array) {
    let all = 0;
    for (let group = 0; group < GROUP_COUNT; group++) {
      let power = 0;
      for (let band = GROUPS[group]!; band < GROUPS[group + 1]!; band++) power += bands[band]!;
      all += power;
      const loud = Math.log(power + DARKNESS);
      this.#noise[group] = follow(this.#noise[group]!, loud);
      this.values[BANDS + group] = limit((loud - this.#noise[group]!) / 4, 0, 2.5) - 1;
    }
    const loud = Math.log(all + DARKNESS);
    this.#allNoise = follow(this.#allNoise, loud);
    this.#level = Math.max(loud, this.#level - LEVEL_FALL, LOWEST_LEVEL);

    const under = loud - this.#level;
    this.values[BANDS + GROUP_COUNT] = limit(under / 4, -2.5, 0) + 1;
    this.values[BANDS + GROUP_COUNT + 1] = limit((loud - this.#allNoise) / 4, 0, 2.5) - 1;
    for (let band = 0; band < BANDS; band++) {
      this.values[band] = limit((Math.log(bands[band]! + DARKNESS) - this.#level + 5) / 3, -2.5, 2);
    }
    // Speech moves some 30 dB under its level, and what does not stand over the noise is not speech.
    const over = limit((loud - this.#allNoise - 1) / 2, 0, 1);
    this.loudness = over * limit(1 + under / 7, 0, 1);
  }
}

/** All in natural logarithms of power, of which full scale is about 1. A step is 10 ms. */
const DARKNESS = 1e-9;
const QUIET = Math.log(1e-8);
const LOWEST_LEVEL = Math.log(1e-6);
const LEVEL_FALL = 0.007;
const NOISE_RISE = 0.002;
const NOISE_FALL = 0.1;

function follow(noise: number, loud: number): number {
  return noise + (loud - noise) * (loud > noise ? NOISE_RISE : NOISE_FALL);
}

function limit(value: number, least: number, most: number): number {
  return value < least ? least : value > most ? most : value;
}
