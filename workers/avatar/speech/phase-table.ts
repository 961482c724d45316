/** The windowed sinc between two rates, cut into phases: row p holds the weights for a moment p / phases after a sample. */
export type PhaseTable = {
  /** Samples in a row; even, and a multiple of 4. */
  taps: number;
  /** The ratio in its lowest terms: `up` samples leave for `down` that come. */
  up: number;
  down: number;
  phases: number;
  coefficients: Float64Array;
};

/** Made once for each pair of rates and shared by all sessions. */
export function phaseTable(fromRate: number, toRate: number): PhaseTable {
  const key = `${fromRate}:${toRate}`;
  const known = tables.get(key);
  if (known) return known;
  const made = make(fromRate, toRate);
  tables.set(key, made);
  return made;
}

const tables = new Map<string, PhaseTable>();

/** Kaiser window for 70 dB: with TAPS the filter goes from all to nothing within 0.14 of the lower rate. */
const TAPS = 32;
const BETA = 6.8;
/**
 * In the lower rate. At one half the row for phase 0 is the sample itself, which saves half the work from 24 to 48 kHz; a rate that falls
 * has no such row, and what it cannot hold must be gone soon above its half.
 */
const RISING_CUTOFF = 0.5;
const FALLING_CUTOFF = 0.48;
/** Rates without a small common measure take the nearest phase: with this many the error stays 70 dB below. */
const MOST_PHASES = 2048;

function make(fromRate: number, toRate: number): PhaseTable {
  const common = greatestCommonDivisor(fromRate, toRate);
  const up = toRate / common;
  const down = fromRate / common;
  const phases = Math.min(up, MOST_PHASES);
  const taps = 4 * Math.ceil((TAPS * Math.max(1, fromRate / toRate)) / 4);
  const cutoff = fromRate < toRate ? RISING_CUTOFF : (FALLING_CUTOFF * toRate) / fromRate;
  const coefficients = new Float64Array(phases * taps);
  for (let phase = 0; phase < phases; phase++) {
    const row = coefficients.subarray(phase * taps, (phase + 1) * taps);
    // The middle of the range that one phase stands for, where it stands for several.
    const share = phases === up ? phase / phases : (phase + 0.5) / phases;
    let sum = 0;
    for (let i = 0; i < taps; i++) {
      const distance = i - (taps / 2 - 1) - share;
      row[i] = sinc(2 * cutoff * distance) * kaiser(distance / (taps / 2));
      sum += row[i]!;
    }
    // Every phase passes a constant unchanged, or a steady level would hum at the rate of the phases.
    for (let i = 0; i < taps; i++) row[i] = row[i]! / sum;
  }
  return { taps, up, down, phases, coefficients };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function kaiser(x: number): number {
  return Math.abs(x) >= 1 ? 0 : bessel(BETA * Math.sqrt(1 - x * x)) / bessel(BETA);
}

/** The modified Bessel function of order 0, by its series. */
function bessel(x: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}
