/*
 * What the network is shown of the newest 25 ms. Speech may be loud or soft and stand over any noise, so everything is relative: to the
 * level of the voice (rises at once, falls slowly) and to the noise under it (falls fast, rises slowly).
 */
import { BANDS, Spectrum, WINDOW_SAMPLES } from './spectrum.ts';
import { TONES, Tones } from './tones.ts';

/** Neighbouring bands whose noise is followed together. */
const GROUPS = [0, 3, 7, 12, 16, 21, BANDS] as const;
const GROUP_COUNT = GROUPS.length - 1;
/** The newest samples once more without a window, for what is shorter than it: a burst, lips that open. */
const PIECES = 2;
const PIECE_SAMPLES = 80;

const OVER_NOISE = BANDS;
const WHOLE = OVER_NOISE + GROUP_COUNT;
const PEAKS = WHOLE + 2;
const PARTS = PEAKS + TONES;

export const FEATURES = PARTS + 2 * PIECES;

export class Features {
  /**
   * About -1..1 each: bands under the voice's level, groups over the noise, the whole of both, the tones, and the level and the sharpness
   * of the newest pieces.
   */
  readonly values = new Float32Array(FEATURES);
  /** How loud the voice is now, 0..1 of its own level. */
  loudness = 0;

  readonly #spectrum = new Spectrum();
  readonly #bands = new Float64Array(BANDS);
  readonly #tones = new Tones();
  #level = LOWEST_LEVEL;
  readonly #noise = new Float64Array(GROUP_COUNT).fill(QUIET);
  #allNoise = QUIET;

  /** `window` is WINDOW_SAMPLES of full scale 1, the oldest first. */
  follow(window: Float32Array) {
    const bands = this.#bands;
    this.#spectrum.measure(window, bands);
    let all = 0;
    for (let group = 0; group < GROUP_COUNT; group++) {
      let power = 0;
      for (let band = GROUPS[group]!; band < GROUPS[group + 1]!; band++) power += bands[band]!;
      all += power;
      const loud = Math.log(power + DARKNESS);
      this.#noise[group] = follow(this.#noise[group]!, loud);
      this.values[OVER_NOISE + group] = limit((loud - this.#noise[group]!) / 4, 0, 2.5) - 1;
    }
    const loud = Math.log(all + DARKNESS);
    this.#allNoise = follow(this.#allNoise, loud);
    this.#level = Math.max(loud, this.#level - LEVEL_FALL, LOWEST_LEVEL);

    const under = loud - this.#level;
    this.values[WHOLE] = limit(under / 4, -2.5, 0) + 1;
    this.values[WHOLE + 1] = limit((loud - this.#allNoise) / 4, 0, 2.5) - 1;
    for (let band = 0; band < BANDS; band++) {
      this.values[band] = this.#underLevel(bands[band]!);
    }
    this.#tones.follow(this.#spectrum.power);
    this.values.set(this.#tones.values, PEAKS);
    this.#followPieces(window);
    // Speech moves some 30 dB under its level, and what does not stand over the noise is not speech.
    const over = limit((loud - this.#allNoise - 1) / 2, 0, 1);
    this.loudness = over * limit(1 + under / 7, 0, 1);
  }

  #followPieces(window: Float32Array) {
    for (let piece = 0; piece < PIECES; piece++) {
      const from = WINDOW_SAMPLES - (PIECES - piece) * PIECE_SAMPLES;
      let power = 0;
      let sharp = 0;
      for (let i = from; i < from + PIECE_SAMPLES; i++) {
        const change = window[i]! - window[i - 1]!;
        power += window[i]! * window[i]!;
        sharp += change * change;
      }
      this.values[PARTS + 2 * piece] = this.#underLevel(power / PIECE_SAMPLES);
      this.values[PARTS + 2 * piece + 1] = this.#underLevel(sharp / PIECE_SAMPLES);
    }
  }

  #underLevel(power: number): number {
    return limit((Math.log(power + DARKNESS) - this.#level + 5) / 3, -2.5, 2);
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
