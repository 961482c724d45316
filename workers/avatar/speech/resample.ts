import { BLOCK, convertRun, phaseTable, runInput, type PhaseTable } from './phase-table.ts';

/**
 * Converts interleaved 16-bit PCM of any rate to mono samples of another rate, as a stream, with a
 * windowed sinc filter. The output does not depend on chunk borders, and after `flush` its length
 * matches the input exactly.
 */
export class Resampler {
  readonly #channels: number;
  readonly #from: number;
  readonly #to: number;
  /** Null when the rates are equal. */
  readonly #table: PhaseTable | null;
  /** The incomplete frame at the end of the last chunk. */
  readonly #cut = new Uint8Array(2 * MAX_CHANNELS);
  #cutBytes = 0;
  /** Past input that later output needs. */
  readonly #past: Float32Array;
  #kept = 0;
  /**
   * Time of the next output: whole input samples after the start of `#past`, and the rest in
   * units of 1 / up.
   */
  #at = 0;
  #phase = 0;
  #received = 0;
  #returned = 0;

  constructor(fromRate: number, fromChannels: number, toRate: number) {
    if (fromChannels < 1 || fromChannels > MAX_CHANNELS) throw new RangeError('channels: 1 or 2');
    this.#channels = fromChannels;
    this.#from = fromRate;
    this.#to = toRate;
    this.#table = fromRate === toRate ? null : phaseTable(fromRate, toRate);
    this.#past = new Float32Array(this.#table?.taps ?? 0);
    this.#reset();
  }

  /** Chunks may end anywhere, also inside a sample. */
  push(bytes: Uint8Array): Int16Array {
    const mono = this.#mix(bytes);
    this.#received += mono.length;
    if (!this.#table) return mono;

    const samples = new Int16Array(this.#ready(mono.length));
    this.#convert(mono, samples);
    this.#returned += samples.length;
    return samples;
  }

  /** Returns the rest of the output and resets the resampler. */
  flush(): Int16Array {
    this.#cutBytes = 0;
    if (!this.#table) return new Int16Array(0);

    const all = Math.round((this.#received * this.#to) / this.#from);
    const rest = new Int16Array(Math.max(0, all - this.#returned));
    this.#convert(new Int16Array(this.#table.taps), rest);
    this.#reset();
    return rest;
  }

  /** The first output coincides with the first input, which silence precedes. */
  #reset() {
    this.#received = 0;
    this.#returned = 0;
    this.#at = 0;
    this.#phase = 0;
    this.#kept = this.#table ? this.#table.taps / 2 - 1 : 0;
    this.#past.fill(0);
  }

  /** Number of output samples available with `more` input samples. */
  #ready(more: number): number {
    const { taps, up, down } = this.#table!;
    const last = (this.#kept + more - taps) * up + up - 1;
    return Math.max(0, Math.floor((last - this.#at * up - this.#phase) / down) + 1);
  }

  /**
   * Fills `samples` as far as `#past` and `mono` reach, then keeps the input that later output
   * needs.
   */
  #convert(mono: Int16Array, samples: Int16Array) {
    const table = this.#table!;
    for (let done = 0, given = 0; done < mono.length;) {
      const taken = Math.min(BLOCK, mono.length - done);
      const count = Math.min(this.#ready(taken), samples.length - given);
      const run = runInput();
      run.set(this.#past.subarray(0, this.#kept));
      run.set(mono.subarray(done, done + taken), this.#kept);
      const filled = this.#kept + taken;
      done += taken;
      samples.set(convertRun(table, this.#at, this.#phase, count), given);
      given += count;

      const moment = this.#at * table.up + this.#phase + count * table.down;
      // With strong downsampling, the next output may begin beyond the available input.
      const spent = Math.min(filled, Math.floor(moment / table.up));
      this.#at = Math.floor(moment / table.up) - spent;
      this.#phase = moment % table.up;
      this.#kept = Math.min(filled - spent, this.#past.length);
      this.#past.set(run.subarray(spent, spent + this.#kept));
    }
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

const sample = (bytes: Uint8Array, at: number) =>
  ((bytes[at]! | (bytes[at + 1]! << 8)) << 16) >> 16;
const mean = (bytes: Uint8Array, at: number) =>
  Math.round((sample(bytes, at) + sample(bytes, at + 2)) / 2);
