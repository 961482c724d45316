import { HEARING_RATE } from '#protocol/audio.ts';

const SIZE = 512;
export const HALF = SIZE / 2;

const WINDOW_MS = 25;
export const WINDOW_SAMPLES = (HEARING_RATE * WINDOW_MS) / 1000;
export const BANDS = 26;
const LOWEST_HZ = 90;
const HIGHEST_HZ = 7600;

/**
 * Short-time spectrum of speech at `HEARING_RATE`: power per bin, and per band on the mel scale, of
 * 25 ms under a Hann window. The 512 real samples are transformed as 256 complex ones. Allocates
 * nothing after construction.
 */
export class Spectrum {
  readonly #real = new Float64Array(HALF);
  readonly #imaginary = new Float64Array(HALF);
  /** Power of each bin after the last `measure`. */
  readonly power = new Float64Array(HALF + 1);

  /**
   * Writes the mean power of each band to `bands`. `samples`: WINDOW_SAMPLES samples of full scale
   * 1.
   */
  measure(samples: Float32Array, bands: Float64Array) {
    const real = this.#real;
    const imaginary = this.#imaginary;
    real.fill(0);
    imaginary.fill(0);
    // Even samples are the real part, odd ones the imaginary part, in bit-reversed order.
    for (let i = 0; i < WINDOW_SAMPLES / 2; i++) {
      const place = REVERSED[i]!;
      real[place] = samples[2 * i]! * WINDOW[2 * i]!;
      imaginary[place] = samples[2 * i + 1]! * WINDOW[2 * i + 1]!;
    }
    transform(real, imaginary);
    separate(real, imaginary, this.power);
    sumBands(this.power, bands);
  }
}

const WINDOW = Float64Array.from(
  { length: WINDOW_SAMPLES },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / WINDOW_SAMPLES),
);
const COS = Float64Array.from({ length: HALF + 1 }, (_, i) => Math.cos((2 * Math.PI * i) / SIZE));
const SIN = Float64Array.from({ length: HALF + 1 }, (_, i) => Math.sin((2 * Math.PI * i) / SIZE));
const REVERSED = Uint16Array.from({ length: HALF }, (_, i) => {
  let reversed = 0;
  for (let bit = 1; bit < HALF; bit <<= 1) reversed = (reversed << 1) | (i & bit ? 1 : 0);
  return reversed;
});

function transform(real: Float64Array, imaginary: Float64Array) {
  for (let half = 1; half < HALF; half <<= 1) {
    // The tables are for SIZE points; smaller butterflies use larger strides.
    const stride = SIZE / (2 * half);
    for (let k = 0; k < half; k++) {
      const c = COS[k * stride]!;
      const s = -SIN[k * stride]!;
      for (let a = k; a < HALF; a += 2 * half) {
        const b = a + half;
        const re = real[b]! * c - imaginary[b]! * s;
        const im = real[b]! * s + imaginary[b]! * c;
        real[b] = real[a]! - re;
        imaginary[b] = imaginary[a]! - im;
        real[a] = real[a]! + re;
        imaginary[a] = imaginary[a]! + im;
      }
    }
  }
}

/** Computes the power spectrum of the real samples from the spectrum of the packed ones. */
function separate(real: Float64Array, imaginary: Float64Array, power: Float64Array) {
  for (let k = 0; k <= HALF; k++) {
    const a = k % HALF;
    const b = (HALF - k) % HALF;
    const evenRe = (real[a]! + real[b]!) / 2;
    const evenIm = (imaginary[a]! - imaginary[b]!) / 2;
    const oddRe = (imaginary[a]! + imaginary[b]!) / 2;
    const oddIm = (real[b]! - real[a]!) / 2;
    const re = evenRe + oddRe * COS[k]! + oddIm * SIN[k]!;
    const im = evenIm + oddIm * COS[k]! - oddRe * SIN[k]!;
    power[k] = re * re + im * im;
  }
}

const mel = (hz: number) => 1127 * Math.log(1 + hz / 700);
const hertz = (m: number) => 700 * (Math.exp(m / 1127) - 1);

/** Triangles that overlap by half, as the first bin and the weights, which sum to 1. */
const FILTERS = Array.from({ length: BANDS }, (_, band) => {
  const step = (mel(HIGHEST_HZ) - mel(LOWEST_HZ)) / (BANDS + 1);
  const [low, centre, high] = [0, 1, 2].map(
    (edge) => (hertz(mel(LOWEST_HZ) + (band + edge) * step) * SIZE) / HEARING_RATE,
  ) as [number, number, number];
  const firstBin = Math.max(1, Math.ceil(Math.min(low, centre - 1)));
  const lastBin = Math.floor(Math.max(high, centre + 1));
  // The lowest bands are narrower than a bin, so each side of a triangle is at least one bin wide.
  const weights = Float64Array.from({ length: lastBin - firstBin + 1 }, (_, i) => {
    const bin = firstBin + i;
    const side = bin < centre ? Math.max(1, centre - low) : Math.max(1, high - centre);
    return Math.max(0, 1 - Math.abs(bin - centre) / side);
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return { firstBin, weights: weights.map((weight) => weight / sum) };
});

function sumBands(power: Float64Array, bands: Float64Array) {
  for (let band = 0; band < BANDS; band++) {
    const { firstBin, weights } = FILTERS[band]!;
    let sum = 0;
    for (let i = 0; i < weights.length; i++) sum += weights[i]! * power[firstBin + i]!;
    bands[band] = sum / SCALE;
  }
}

/** A full-scale sine has about power 1 in its band. */
const SCALE = (WINDOW_SAMPLES / 4) ** 2;
