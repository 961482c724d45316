import { AUDIBLE, audioMs, peakOf, SPEECH_PAUSE_MS } from '#protocol/audio.ts';
import type { Segments } from './segments.ts';

/** With more than this queued, quiet blocks are dropped. */
const TRIM_MS = 100;
/** A block is quiet below this share of the segment's loudness. */
const QUIET_SHARE = 1 / 24;
/** The loudness halves in 1.5 s: a voice may become softer. */
const FADING_PER_MS = 0.5 ** (1 / 1500);
/** With more than this queued, all blocks are dropped until TRIM_MS is reached. */
const LATE_MS = 250;

type Parts = {
  segments: Pick<Segments, 'beginLive' | 'chunk' | 'end'>;
  /** Delay until a block that arrives now would play. */
  queuedMs: () => number;
};

/**
 * Turns the audio of a track into live segments. A segment begins with the first audible block and
 * ends after SPEECH_PAUSE_MS of silence; the silence between is not played. Each segment therefore
 * starts with the minimum delay, whatever clock drift or a busy process added before. Within a long
 * segment (in a noisy room, hours), delay is removed from the quiet between words, and unbearable
 * delay at once.
 */
export class LiveSpeech {
  readonly #parts: Parts;
  #count = 0;
  /** Stream id of the current segment. Null in silence. */
  #stream: string | null = null;
  /**
   * The last silent block. It starts the next segment, so that speech does not begin with a click.
   */
  #lastSilence: Int16Array | null = null;
  #quietMs = 0;
  #loudness = 0;
  #isLate = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Takes mono audio at `AUDIO_RATE` in whole steps of `AUDIO_STEP_MS`. */
  hear(block: Int16Array): void {
    const peak = peakOf(block);
    const ms = audioMs(block.length);
    this.#quietMs = peak < AUDIBLE ? this.#quietMs + ms : 0;
    if (this.#quietMs >= SPEECH_PAUSE_MS) this.end();
    if (this.#stream !== null) return this.#continue(this.#stream, block, peak, ms);
    if (peak >= AUDIBLE) this.#begin(block, peak);
    else this.#lastSilence = block;
  }

  /** The track ended or was muted. */
  end(): void {
    if (this.#stream !== null) this.#parts.segments.end(this.#stream);
    this.cut();
  }

  /** The queued speech was dropped: the next audible block begins a new segment. */
  cut(): void {
    this.#stream = null;
    this.#lastSilence = null;
    this.#isLate = false;
  }

  #begin(block: Int16Array, peak: number): void {
    this.#stream = `live ${++this.#count}`;
    this.#loudness = peak;
    this.#parts.segments.beginLive(this.#stream);
    if (this.#lastSilence) this.#parts.segments.chunk(this.#stream, bytesOf(this.#lastSilence));
    this.#parts.segments.chunk(this.#stream, bytesOf(block));
    this.#lastSilence = null;
  }

  #continue(stream: string, block: Int16Array, peak: number, ms: number): void {
    this.#loudness = Math.max(peak, this.#loudness * FADING_PER_MS ** ms);
    const queuedMs = this.#parts.queuedMs();
    this.#isLate = queuedMs > (this.#isLate ? TRIM_MS : LATE_MS);
    const isQuiet = peak < Math.max(AUDIBLE, this.#loudness * QUIET_SHARE);
    if (this.#isLate || (isQuiet && queuedMs > TRIM_MS)) return;
    this.#parts.segments.chunk(stream, bytesOf(block));
  }
}

const bytesOf = (samples: Int16Array): Uint8Array =>
  new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
