import { BANDS, Spectrum, WINDOW_SAMPLES } from './spectrum.ts';
import { TONES, Tones } from './tones.ts';

/** Groups of neighbouring bands that share a noise level. */
const GROUPS = [0, 3, 7, 12, 16, 21, BANDS] as const;
const GROUP_COUNT = GROUPS.length - 1;
/**
 * The newest samples without a window, for events shorter than it: plosive bursts, opening lips.
 */
const PIECES = 2;
const PIECE_SAMPLES = 80;

const OVER_NOISE = BANDS;
const WHOLE = OVER_NOISE + GROUP_COUNT;
const PEAKS = WHOLE + 2;
const PARTS = PEAKS + TONES;

export const FEATURES = PARTS + 2 * PIECES;

/**
 * The network's input for the newest 25 ms. Speech may be loud or soft, over any noise, so all
 * values are relative to the level of the voice (rises at once, falls slowly) and to the noise
 * floor (falls fast, rises slowly).
 */
export class Features {
  /**
   * About -1..1 each: bands below the voice level, groups above the noise, both for the whole
   * spectrum, tones, level and sharpness of the pieces.
   */
  readonly values = new Float32Array(FEATURES);
  /** Loudness relative to the voice's level, 0..1. */
  loudness = 0;

  readonly #spectrum = new Spectrum();
  readonly #bands = new Float64Array(BANDS);
  readonly #tones = new Tones();
  #level = LOWEST_LEVEL;
  readonly #noise = new Float64Array(GROUP_COUNT).fill(QUIET);
  #allNoise = QUIET;

  /** `window`: WINDOW_SAMPLES samples of full scale 1, oldest first. */
  follow(window: Float32Array) {
    const bands = this.#bands;
    this.#spectrum.measure(window, bands);
    let totalPower = 0;
    for (let group = 0; group < GROUP_COUNT; group++) {
      let power = 0;
      for (let band = GROUPS[group]!; band < GROUPS[group + 1]!; band++) power += bands[band]!;
      totalPower += power;
      const loud = Math.log(power + DARKNESS);
      this.#noise[group] = follow(this.#noise[group]!, loud);
      this.values[OVER_NOISE + group] = limit((loud - this.#noise[group]!) / 4, 0, 2.5) - 1;
    }
    const loud = Math.log(totalPower + DARKNESS);
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
    // Speech varies about 30 dB below its level. Sound that does not exceed the noise is not
    // speech.
    const noiseMargin = limit((loud - this.#allNoise - 1) / 2, 0, 1);
    this.loudness = noiseMargin * limit(1 + under / 7, 0, 1);
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

/** Natural logarithms of power; full scale is about 1. Rates are per hop. */
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
