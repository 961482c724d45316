/*
 * Interleaved 16-bit PCM of any rate -> mono samples at ours, as it comes. Each sample that leaves is the sum of the TAPS samples around
 * its moment under a windowed sinc; where two rates have a small common measure only few different phases of it exist, and they are
 * tabled once for all sessions. No sample is lost or made at chunk borders: after `flush`, as many have left as the length of the
 * speech asks for, however it was cut.
 */
import { phaseTable, type PhaseTable } from './phase-table.ts';

export class Resampler {
  readonly #channels: number;
  readonly #from: number;
  readonly #to: number;
  /** `null` when the rates are equal and nothing is to be computed. */
  readonly #table: PhaseTable | null;
  /** A frame that a chunk has cut. */
  readonly #cut = new Uint8Array(2 * MAX_CHANNELS);
  #cutBytes = 0;
  /** What the next sample needs of the past, then what came since. */
  readonly #work: Float64Array;
  #filled = 0;
  /** The next sample's moment: place in `#work` of the first sample it needs, and the share of a sample after that, in 1 / up. */
  #at = 0;
  #phase = 0;
  #received = 0;
  #given = 0;

  constructor(fromRate: number, fromChannels: number, toRate: number) {
    if (fromChannels < 1 || fromChannels > MAX_CHANNELS) throw new RangeError('channels: 1 or 2');
    this.#channels = fromChannels;
    this.#from = fromRate;
    this.#to = toRate;
    this.#table = fromRate === toRate ? null : phaseTable(fromRate, toRate);
    this.#work = new Float64Array(this.#table ? this.#table.taps + BLOCK : 0);
    this.#begin();
  }

  /** Chunks may end anywhere, also inside a sample. */
  push(bytes: Uint8Array): Int16Array {
    const mono = this.#mix(bytes);
    this.#received += mono.length;
    if (!this.#table) return mono;

    const samples = new Int16Array(this.#ready(mono.length));
    let written = 0;
    for (let done = 0; done < mono.length;) {
      const taken = Math.min(mono.length - done, this.#work.length - this.#filled);
      for (let i = 0; i < taken; i++) this.#work[this.#filled + i] = mono[done + i]!;
      this.#filled += taken;
      done += taken;
      written = this.#give(samples, written);
    }
    this.#given += samples.length;
    return samples;
  }

  /** What is still inside. The next chunk begins a new segment. */
  flush(): Int16Array {
    this.#cutBytes = 0;
    if (!this.#table) return new Int16Array(0);

    const rest = new Int16Array(
      Math.max(0, Math.round((this.#received * this.#to) / this.#from) - this.#given),
    );
    for (let written = 0; written < rest.length;) {
      const silent = this.#work.length - this.#filled;
      this.#work.fill(0, this.#filled);
      this.#filled += silent;
      written = this.#give(rest, written);
    }
    this.#begin();
    return rest;
  }

  /** The first sample's moment is that of the first one received: before it there was silence. */
  #begin() {
    this.#received = 0;
    this.#given = 0;
    this.#at = 0;
    this.#phase = 0;
    this.#filled = this.#table ? this.#table.taps / 2 - 1 : 0;
    this.#work.fill(0);
  }

  /** How many samples can leave once `more` have come. */
  #ready(more: number): number {
    const { taps, up, down } = this.#table!;
    const last = (this.#filled + more - taps) * up + up - 1;
    return Math.max(0, Math.floor((last - this.#at * up - this.#phase) / down) + 1);
  }

  /** Computes samples while there is room for them and what they need is there; then drops what nothing needs any more. */
  #give(samples: Int16Array, from: number): number {
    const { taps, up, down, phases, coefficients } = this.#table!;
    const work = this.#work;
    const whole = Math.floor(down / up);
    const part = down % up;
    const scale = phases / up;
    let at = this.#at;
    let phase = this.#phase;
    let next = from;
    for (; next < samples.length && at + taps <= this.#filled; next++) {
      if (phase === 0 && up > down) {
        // The row of phase 0 is the sample itself.
        samples[next] = work[at + taps / 2 - 1]!;
      } else {
        const first = Math.floor(phase * scale) * taps;
        samples[next] = rounded(product(work, at, coefficients, first, taps));
      }
      at += whole;
      phase += part;
      if (phase >= up) {
        phase -= up;
        at += 1;
      }
    }
    // When the rate falls a lot, the next sample may begin beyond what is there.
    const spent = Math.min(at, this.#filled);
    work.copyWithin(0, spent, this.#filled);
    this.#filled -= spent;
    this.#at = at - spent;
    this.#phase = phase;
    return next;
  }

  #mix(bytes: Uint8Array): Int16Array {
    const frameBytes = 2 * this.#channels;
    const frames = Math.floor((this.#cutBytes + bytes.length) / frameBytes);
    const mono = new Int16Array(frames);
    let next = 0;
    let from = 0;
    if (this.#cutBytes > 0 && frames > 0) {
      from = frameBytes - this.#cutBytes;
      this.#cut.set(bytes.subarray(0, from), this.#cutBytes);
      mono[next++] = this.#channels === 1 ? sample(this.#cut, 0) : mean(this.#cut, 0);
      this.#cutBytes = 0;
    }
    if (this.#channels === 1) {
      for (; next < frames; next++, from += 2) mono[next] = sample(bytes, from);
    } else {
      for (; next < frames; next++, from += 4) mono[next] = mean(bytes, from);
    }
    this.#cut.set(bytes.subarray(from), this.#cutBytes);
    this.#cutBytes += bytes.length - from;
    return mono;
  }
}

const MAX_CHANNELS = 2;
const BLOCK = 2048;

function product(work: Float64Array, at: number, row: Float64Array, first: number, taps: number) {
  let even = 0;
  let odd = 0;
  const end = at + taps;
  for (let i = at, c = first; i < end; i += 4, c += 4) {
    even += work[i]! * row[c]! + work[i + 2]! * row[c + 2]!;
    odd += work[i + 1]! * row[c + 1]! + work[i + 3]! * row[c + 3]!;
  }
  return even + odd;
}

const rounded = (value: number) =>
  value > 32_767 ? 32_767 : value < -32_768 ? -32_768 : Math.floor(value + 0.5);

const sample = (bytes: Uint8Array, at: number) =>
  ((bytes[at]! | (bytes[at + 1]! << 8)) << 16) >> 16;
const mean = (bytes: Uint8Array, at: number) =>
  Math.round((sample(bytes, at) + sample(bytes, at + 2)) / 2);
