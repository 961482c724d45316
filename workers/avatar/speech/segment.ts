import { AUDIO_RATE } from '#protocol/audio.ts';
import { Resampler } from './resample.ts';

const HEARING_RATE = 16_000;
/** Samples of 10 ms of sound: the step in which an audio source plays. */
const STEP = AUDIO_RATE / 100;

/** A run of a segment, ready to sound. */
export type Stretch = {
  /** Whole steps of 10 ms at `AUDIO_RATE`; the last stretch of a segment is filled up with silence. */
  sound: Int16Array<ArrayBuffer>;
  /** How many milliseconds of `sound` are the segment's own. */
  ownMs: number;
  /** The same speech at 16 kHz for the performer; it begins `hearingOffsetMs` after the sound does (a filter may hold some back). */
  hearing: Int16Array;
  hearingOffsetMs: number;
};

/** One utterance: kept as it was received, converted only when it is about to sound. */
export class Segment {
  readonly id: number;
  /** It comes at the pace of its own sound, evenly, as long as it is spoken: no more of it is there to wait for. */
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

  constructor(id: number, format: { sampleRate: number; channels: number }, isLive = false) {
    this.id = id;
    this.isLive = isLive;
    this.#bytesPerMs = (format.sampleRate * format.channels * 2) / 1000;
    this.#toSound = new Resampler(format.sampleRate, format.channels, AUDIO_RATE);
    this.#toHearing = new Resampler(format.sampleRate, format.channels, HEARING_RATE);
  }

  /** Nothing more will come. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Nothing more will come, and all of it was taken. */
  get isExhausted(): boolean {
    return this.#isFlushed && this.#sound.length === 0;
  }

  /** Some of it was taken. */
  get isBegun(): boolean {
    return this.#soundTaken > 0;
  }

  get availableMs(): number {
    return this.#waitingBytes / this.#bytesPerMs + (this.#sound.length / AUDIO_RATE) * 1000;
  }

  receive(bytes: Uint8Array): void {
    if (this.#isEnded || bytes.length === 0) return;
    this.#chunks.push(bytes);
    this.#waitingBytes += bytes.length;
  }

  end(): void {
    this.#isEnded = true;
  }

  /** Takes up to `ms` of what is there, in whole steps. Null: nothing yet, or, when it has ended, nothing more. */
  take(ms: number): Stretch | null {
    const steps = Math.floor(ms / 10);
    this.#convert(steps * STEP);
    const own = Math.min(this.#sound.length, steps * STEP);
    const whole = this.#isFlushed ? own : own - (own % STEP);
    if (whole === 0) return null;

    const sound = new Int16Array(Math.ceil(whole / STEP) * STEP);
    sound.set(this.#sound.take(whole));
    const soundFrom = this.#soundTaken;
    this.#soundTaken += whole;

    const due = Math.ceil((this.#soundTaken * HEARING_RATE) / AUDIO_RATE);
    const hearing = this.#hearing.take(Math.min(this.#hearing.length, due - this.#hearingTaken));
    const hearingOffsetMs = (this.#hearingTaken / HEARING_RATE - soundFrom / AUDIO_RATE) * 1000;
    this.#hearingTaken += hearing.length;
    return { sound, ownMs: (whole / AUDIO_RATE) * 1000, hearing, hearingOffsetMs };
  }

  #convert(wanted: number): void {
    while (this.#sound.length < wanted) {
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

/** Samples in, samples out. */
class Samples {
  #runs: Int16Array[] = [];
  length = 0;

  put(samples: Int16Array): void {
    if (samples.length === 0) return;
    this.#runs.push(samples);
    this.length += samples.length;
  }

  take(count: number): Int16Array<ArrayBuffer> {
    const taken = new Int16Array(count);
    let filled = 0;
    while (filled < count) {
      const run = this.#runs[0];
      if (!run) break;
      const part = run.subarray(0, count - filled);
      taken.set(part, filled);
      filled += part.length;
      if (part.length === run.length) this.#runs.shift();
      else this.#runs[0] = run.subarray(part.length);
    }
    this.length -= filled;
    return taken;
  }
}
