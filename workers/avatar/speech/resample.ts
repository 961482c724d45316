import { SPEECH_FORMATS } from '#protocol/audio.ts';
import {
  BLOCK,
  convertRun,
  phaseTable,
  runInput,
  tableShape,
  type TableShape,
} from './phase-table.ts';

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
  readonly #shape: TableShape | null;
  /** The incomplete frame at the end of the last chunk. */
  readonly #cut = new Uint8Array(2 * SPEECH_FORMATS.maxChannels);
  #cutBytes = 0;
  /** Past input that later output needs. */
  readonly #past: Float32Array;
  #pastSamples = 0;
  /**
   * Time of the next output: whole input samples after the start of `#past`, and the rest in
   * units of 1 / up.
   */
  #at = 0;
  #phase = 0;
  #received = 0;
  #returned = 0;

  constructor(fromRate: number, fromChannels: number, toRate: number) {
    if (fromChannels < 1 || fromChannels > SPEECH_FORMATS.maxChannels)
      throw new RangeError(`channels: 1 to ${SPEECH_FORMATS.maxChannels}`);
    this.#channels = fromChannels;
    this.#from = fromRate;
    this.#to = toRate;
    this.#shape = fromRate === toRate ? null : tableShape(fromRate, toRate);
    this.#past = new Float32Array(this.#shape?.taps ?? 0);
    this.#reset();
  }

  /** Chunks may end anywhere, also inside a sample. */
  push(bytes: Uint8Array): Int16Array {
    const mono = this.#mix(bytes);
    this.#received += mono.length;
    if (!this.#shape) return mono;

    const samples = new Int16Array(this.#ready(mono.length));
    this.#convert(mono, samples);
    this.#returned += samples.length;
    return samples;
  }

  /** Returns the rest of the output and resets the resampler. */
  flush(): Int16Array {
    this.#cutBytes = 0;
    if (!this.#shape) return new Int16Array(0);

    const totalSamples = Math.round((this.#received * this.#to) / this.#from);
    const tail = new Int16Array(Math.max(0, totalSamples - this.#returned));
    this.#convert(new Int16Array(this.#shape.taps), tail);
    this.#reset();
    return tail;
  }

  /** The first output coincides with the first input, which silence precedes. */
  #reset() {
    this.#received = 0;
    this.#returned = 0;
    this.#at = 0;
    this.#phase = 0;
    this.#pastSamples = this.#shape ? this.#shape.taps / 2 - 1 : 0;
    this.#past.fill(0);
  }

  /** Number of output samples available with `newSamples` input samples. */
  #ready(newSamples: number): number {
    const { taps, up, down } = this.#shape!;
    const lastPosition = (this.#pastSamples + newSamples - taps) * up + up - 1;
    return Math.max(0, Math.floor((lastPosition - this.#at * up - this.#phase) / down) + 1);
  }

  /**
   * Fills `samples` as far as `#past` and `mono` reach, then keeps the input that later output
   * needs.
   */
  #convert(mono: Int16Array, samples: Int16Array) {
    // Not kept: another one may take its place.
    const table = phaseTable(this.#from, this.#to);
    for (let done = 0, writtenSamples = 0; done < mono.length;) {
      const blockSamples = Math.min(BLOCK, mono.length - done);
      const count = Math.min(this.#ready(blockSamples), samples.length - writtenSamples);
      const run = runInput();
      run.set(this.#past.subarray(0, this.#pastSamples));
      run.set(mono.subarray(done, done + blockSamples), this.#pastSamples);
      const filled = this.#pastSamples + blockSamples;
      done += blockSamples;
      samples.set(convertRun(table, this.#at, this.#phase, count), writtenSamples);
      writtenSamples += count;

      const moment = this.#at * table.up + this.#phase + count * table.down;
      // With strong downsampling, the next output may begin beyond the available input.
      const spent = Math.min(filled, Math.floor(moment / table.up));
      this.#at = Math.floor(moment / table.up) - spent;
      this.#phase = moment % table.up;
      this.#pastSamples = Math.min(filled - spent, this.#past.length);
      this.#past.set(run.subarray(spent, spent + this.#pastSamples));
    }
  }

  #mix(bytes: Uint8Array): Int16Array {
    const frameBytes = 2 * this.#channels;
    const frames = Math.floor((this.#cutBytes + bytes.length) / frameBytes);
    const mono = new Int16Array(frames);
    let frame = 0;
    let from = 0;
    if (this.#cutBytes > 0 && frames > 0) {
      from = frameBytes - this.#cutBytes;
      this.#cut.set(bytes.subarray(0, from), this.#cutBytes);
      mono[frame++] = mean(this.#cut, 0, this.#channels);
      this.#cutBytes = 0;
    }
    if (this.#channels === 1) {
      for (; frame < frames; frame++, from += 2) mono[frame] = sample(bytes, from);
    } else {
      for (; frame < frames; frame++, from += frameBytes)
        mono[frame] = mean(bytes, from, this.#channels);
    }
    this.#cut.set(bytes.subarray(from), this.#cutBytes);
    this.#cutBytes += bytes.length - from;
    return mono;
  }
}

const sample = (bytes: Uint8Array, at: number) =>
  ((bytes[at]! | (bytes[at + 1]! << 8)) << 16) >> 16;

function mean(bytes: Uint8Array, at: number, channels: number): number {
  let sum = 0;
  for (let channel = 0; channel < channels; channel++) sum += sample(bytes, at + 2 * channel);
  return Math.round(sum / channels);
}
