/*
 * Polyphase tables of a windowed sinc: row p holds the weights for a time p / phases after a
 * sample. The tables and the run being converted are in the memory of filter.wasm, one instance per
 * process.
 */
import { readFileSync } from 'node:fs';

/** Costs nothing to know, unlike the table. */
export type TableShape = {
  /** Samples in a row; a multiple of 8. */
  taps: number;
  /** The ratio of rates in lowest terms: `up` samples out for `down` samples in. */
  up: number;
  down: number;
  phases: number;
};

type PhaseTable = TableShape & {
  /** Address of the rows in the filter's memory. */
  rows: number;
};

/**
 * Computed once per pair of rates and shared by all sessions. Valid until the next call: agents
 * choose the rates, so a new table takes the place of the least recently used one.
 */
export function phaseTable(fromRate: number, toRate: number): PhaseTable {
  const key = `${fromRate}:${toRate}`;
  const table = tables.get(key) ?? make(fromRate, toRate);
  tables.delete(key);
  tables.set(key, table);
  return table;
}

/** Maximum number of new samples in a run. They follow the past samples that the filter needs. */
export const BLOCK = 1024;

/** The input buffer of a run. Do not keep it: growing the memory detaches it. */
export const runInput = () => new Float32Array(memory.buffer, INPUT, MOST_INPUT);

/**
 * Converts the run to `count` samples, the first one `phase` after the sample at `at`. The result
 * is valid until the next call.
 */
export function convertRun(
  table: PhaseTable,
  at: number,
  phase: number,
  count: number,
): Int16Array {
  const { taps, up, down, phases, rows } = table;
  const input = INPUT + 4 * at;
  const wholeStep = Math.floor(down / up);
  // With the cutoff at one half, phase 0 passes the sample unchanged.
  const passes = up > down ? 1 : 0;
  filter.convert(
    input,
    phase,
    wholeStep,
    down % up,
    up,
    rows,
    taps,
    phases / up,
    passes,
    OUTPUT,
    count,
  );
  return new Int16Array(memory.buffer, OUTPUT, count);
}

/** The least recently used one first. */
const tables = new Map<string, PhaseTable>();

const PAGE = 65_536;
const memory = new WebAssembly.Memory({ initial: 1 });
const filter = new WebAssembly.Instance(
  new WebAssembly.Module(readFileSync(new URL('./filter/filter.wasm', import.meta.url))),
  { env: { memory } },
).exports as { convert: (...numbers: number[]) => void };

/**
 * The longest row has 384 samples (192 to 16 kHz). The output is at most six times as long as the
 * input (8 to 48 kHz).
 */
const MOST_INPUT = BLOCK + 384;
const INPUT = 1024;
const OUTPUT = INPUT + 4 * MOST_INPUT;
const TABLES = 16 * Math.ceil((OUTPUT + 2 * 7 * BLOCK) / 16);
/** More than any table has. */
const TABLE_BYTES = 5 * PAGE + 16;
/** 32 MB. */
const MOST_TABLES = 100;

/** Room for a table. */
function place(): number {
  const [oldest] = tables;
  if (oldest && tables.size === MOST_TABLES) {
    const [key, { rows }] = oldest;
    tables.delete(key);
    return rows;
  }
  const rows = TABLES + tables.size * TABLE_BYTES;
  const missing = rows + TABLE_BYTES - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  return rows;
}

/** Kaiser window for 70 dB: with TAPS, the transition band is 0.14 of the lower rate. */
const TAPS = 32;
const BETA = 6.8;
const PEAK = bessel(BETA);
/**
 * Cutoffs relative to the lower rate. At one half, phase 0 passes samples unchanged, which saves
 * half the work from 24 to 48 kHz. Downsampling has no such phase, and must suppress what would
 * alias.
 */
const RISING_CUTOFF = 0.5;
const FALLING_CUTOFF = 0.48;
/**
 * Ratios with more phases use the nearest one of these; the error stays below -70 dB. Longer rows
 * are as much smoother and need as many fewer.
 */
const MOST_PHASES = 2048;

export function tableShape(fromRate: number, toRate: number): TableShape {
  const common = greatestCommonDivisor(fromRate, toRate);
  const up = toRate / common;
  const down = fromRate / common;
  const stretch = Math.max(1, fromRate / toRate);
  const phases = Math.min(up, Math.ceil(MOST_PHASES / stretch));
  return { taps: 8 * Math.ceil((TAPS * stretch) / 8), up, down, phases };
}

function make(fromRate: number, toRate: number): PhaseTable {
  const shape = tableShape(fromRate, toRate);
  const { taps, up, phases } = shape;
  const cutoff = fromRate < toRate ? RISING_CUTOFF : (FALLING_CUTOFF * toRate) / fromRate;
  const rows = place();
  const coefficients = new Float32Array(memory.buffer, rows, phases * taps);
  for (let phase = 0; phase < phases; phase++) {
    const row = new Float64Array(taps);
    // If a row stands for several phases, it is computed for the middle of their range.
    const share = phases === up ? phase / phases : (phase + 0.5) / phases;
    let sum = 0;
    for (let i = 0; i < taps; i++) {
      const distance = i - (taps / 2 - 1) - share;
      row[i] = sinc(2 * cutoff * distance) * kaiser(distance / (taps / 2));
      sum += row[i]!;
    }
    // Every row sums to 1; otherwise a constant level would hum at the rate of the phases.
    for (let i = 0; i < taps; i++) coefficients[phase * taps + i] = row[i]! / sum;
  }
  return { ...shape, rows };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function kaiser(x: number): number {
  return Math.abs(x) >= 1 ? 0 : bessel(BETA * Math.sqrt(1 - x * x)) / PEAK;
}

/** Modified Bessel function of order 0, by its series. */
function bessel(x: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}
