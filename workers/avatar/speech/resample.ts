/*
 * Interleaved 16-bit PCM of any rate -> mono samples at ours, as it comes. Each sample that leaves is the sum of the TAPS samples around
 * its moment under a windowed sinc; where two rates have a small common measure only few different phases of it exist, and they are
 * tabled once for all sessions. No sample is lost or made at chunk borders: after `flush`, as many have left as the length of the
 * speech asks for, however it was cut.
 */
import { BLOCK, convertRun, phaseTable, runInput, type PhaseTable } from './phase-table.ts';

export class Resampler {
  readonly #channels: number;
  readonly #from: number;
  readonly #to: number;
  /** `null` when the rates are equal and nothing is to be computed. */
  readonly #table: PhaseTable | null;
  /** A frame that a chunk has cut. */
  readonly #cut = new Uint8Array(2 * MAX_CHANNELS);
  #cutBytes = 0;
  /** What the next sample needs of the past. */
  readonly #past: Float32Array;
  #kept = 0;
  /** The next sample's moment: how many samples from the first of the past, and the share of a sample after that, in 1 / up. */
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
    this.#past = new Float32Array(this.#table?.taps ?? 0);
    this.#begin();
  }

  /** Chunks may end anywhere, also inside a sample. */
  push(bytes: Uint8Array): Int16Array {
    const mono = this.#mix(bytes);
    this.#received += mono.length;
    if (!this.#table) return mono;

    const samples = new Int16Array(this.#ready(mono.length));
    this.#convert(mono, samples);
    this.#given += samples.length;
    return samples;
  }

  /** What is still inside. The next chunk begins a new segment. */
  flush(): Int16Array {
    this.#cutBytes = 0;
    if (!this.#table) return new Int16Array(0);

    const all = Math.round((this.#received * this.#to) / this.#from);
    const rest = new Int16Array(Math.max(0, all - this.#given));
    this.#convert(new Int16Array(this.#table.taps), rest);
    this.#begin();
    return rest;
  }

  /** The first sample's moment is that of the first one received: before it there was silence. */
  #begin() {
    this.#received = 0;
    this.#given = 0;
    this.#at = 0;
    this.#phase = 0;
    this.#kept = this.#table ? this.#table.taps / 2 - 1 : 0;
    this.#past.fill(0);
  }

  /** How many samples can leave once `more` have come. */
  #ready(more: number): number {
    const { taps, up, down } = this.#table!;
    const last = (this.#kept + more - taps) * up + up - 1;
    return Math.max(0, Math.floor((last - this.#at * up - this.#phase) / down) + 1);
  }

  /** Fills `samples`, as far as the past and `mono` reach; then keeps what later ones need. */
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
      // When the rate falls a lot, the next sample may begin beyond what is there.
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
