import {
  AUDIO_RATE,
  AUDIO_STEP_MS,
  audioMs,
  HEARING_RATE,
  type SpeechFormat,
} from '#protocol/audio.ts';
import { Resampler } from './resample.ts';

const STEP_SAMPLES = (AUDIO_RATE * AUDIO_STEP_MS) / 1000;

/** A contiguous part of a segment, ready to play. */
type Run = {
  /** Whole steps at `AUDIO_RATE`. The last run of a segment is padded with silence. */
  sound: Int16Array<ArrayBuffer>;
  /** Milliseconds of `sound` without the padding. */
  ownMs: number;
  /**
   * The same speech at `HEARING_RATE`. It begins `hearingOffsetMs` after `sound`: the two
   * resamplers have different delays.
   */
  hearing: Int16Array;
  hearingOffsetMs: number;
};

/** One utterance. Stored as received, converted only when it is about to play. */
export class Segment {
  readonly id: number;
  /** Arrives in real time from a track; its end is not known in advance. */
  readonly isLive: boolean;
  readonly #bytesPerMs: number;
  readonly #toSound: Resampler;
  readonly #toHearing: Resampler;
  readonly #sound = new Samples();
  readonly #hearing = new Samples();
  #chunks: Uint8Array[] = [];
  #waitingBytes = 0;
  #isEnded = false;
  #isFlushed = false;
  #soundTaken = 0;
  #hearingTaken = 0;

  constructor(id: number, format: SpeechFormat, isLive = false) {
    this.id = id;
    this.isLive = isLive;
    this.#bytesPerMs = (format.sampleRate * format.channels * 2) / 1000;
    this.#toSound = new Resampler(format.sampleRate, format.channels, AUDIO_RATE);
    this.#toHearing = new Resampler(format.sampleRate, format.channels, HEARING_RATE);
  }

  /** All of it was received. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** All of it was received and taken. */
  get isExhausted(): boolean {
    return this.#isFlushed && this.#sound.length === 0;
  }

  get hasBegun(): boolean {
    return this.#soundTaken > 0;
  }

  /** Received and not converted yet. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  get availableMs(): number {
    return this.#waitingBytes / this.#bytesPerMs + audioMs(this.#sound.length);
  }

  receive(bytes: Uint8Array): void {
    if (this.#isEnded || bytes.length === 0) return;
    this.#chunks.push(bytes);
    this.#waitingBytes += bytes.length;
  }

  end(): void {
    this.#isEnded = true;
  }

  /** Takes up to `ms` of the available speech, in whole steps. Null when there is none. */
  take(ms: number): Run | null {
    const limit = Math.floor(ms / AUDIO_STEP_MS) * STEP_SAMPLES;
    this.#convert(limit);
    const available = Math.min(this.#sound.length, limit);
    const count = this.#isFlushed ? available : available - (available % STEP_SAMPLES);
    if (count === 0) return null;

    const sound = new Int16Array(Math.ceil(count / STEP_SAMPLES) * STEP_SAMPLES);
    sound.set(this.#sound.take(count));
    const soundFrom = this.#soundTaken;
    this.#soundTaken += count;

    const hearingEnd = Math.ceil((this.#soundTaken * HEARING_RATE) / AUDIO_RATE);
    const hearing = this.#hearing.take(
      Math.min(this.#hearing.length, hearingEnd - this.#hearingTaken),
    );
    const hearingOffsetMs = (this.#hearingTaken / HEARING_RATE - soundFrom / AUDIO_RATE) * 1000;
    this.#hearingTaken += hearing.length;
    return { sound, ownMs: audioMs(count), hearing, hearingOffsetMs };
  }

  #convert(soundSamples: number): void {
    while (this.#sound.length < soundSamples) {
      const chunk = this.#chunks.shift();
      if (!chunk) break;
      this.#waitingBytes -= chunk.length;
      this.#sound.put(this.#toSound.push(chunk));
      this.#hearing.put(this.#toHearing.push(chunk));
    }
    if (this.#isEnded && this.#chunks.length === 0 && !this.#isFlushed) {
      this.#isFlushed = true;
      this.#sound.put(this.#toSound.flush());
      this.#hearing.put(this.#toHearing.flush());
    }
  }
}

/** A queue of samples. */
class Samples {
  #runs: Int16Array[] = [];
  length = 0;

  put(samples: Int16Array): void {
    if (samples.length === 0) return;
    this.#runs.push(samples);
    this.length += samples.length;
  }

  take(count: number): Int16Array<ArrayBuffer> {
    const samples = new Int16Array(count);
    let filled = 0;
    while (filled < count) {
      const run = this.#runs[0];
      if (!run) break;
      const part = run.subarray(0, count - filled);
      samples.set(part, filled);
      filled += part.length;
      if (part.length === run.length) this.#runs.shift();
      else this.#runs[0] = run.subarray(part.length);
    }
    this.length -= filled;
    return samples;
  }
}
