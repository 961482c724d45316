/*
 * The sound of a track -> live segments, one for each stretch of speech.
 *   quiet      silence comes in, and costs nothing   -> speaking with the first block that is loud enough to be heard
 *   speaking   every block becomes speech            -> quiet after HOLD_MS of silence, and when the track is over
 * So each stretch begins anew with the smallest delay: what two clocks or a busy process have added is gone with the pause before it. Within a
 * stretch (a noisy room may be one for hours) it is taken out of the quiet between the words, and only a delay that nobody could talk with
 * at once.
 */
import type { Segments } from './segments.ts';

/** Below this peak (-54 dB of the loudest there is) nothing is heard in a call. */
const AUDIBLE = 64;
/** As long as a pause between words: a stretch is not cut up within a sentence, nor is the end of a word lost. */
const HOLD_MS = 300;
/** What waits beyond this is left out where it is quiet: SHARE_OF_VOICE below the stretch's own loudness. */
const TRIM_MS = 100;
const SHARE_OF_VOICE = 1 / 24;
/** The loudness is forgotten by half within a second and a half: a voice may become softer. */
const FADING_PER_MS = 0.5 ** (1 / 1500);
/** What waits beyond this is left out at once. */
const LATE_MS = 250;
const SAMPLES_PER_MS = 48;

type Parts = {
  segments: Pick<Segments, 'beginLive' | 'chunk' | 'end'>;
  /** How long after now a block that comes in now would sound. */
  queuedMs: () => number;
};

export class LiveSpeech {
  readonly #parts: Parts;
  #stretches = 0;
  /** Null while quiet. */
  #stretch: string | null = null;
  /** The last block of silence: a voice does not begin with a step. */
  #before: Int16Array | null = null;
  #quietMs = 0;
  #loudness = 0;
  #isLate = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whole stretches of 10 ms, mono at 48 kHz, as they come. */
  hear(block: Int16Array): void {
    const peak = peakOf(block);
    const ms = block.length / SAMPLES_PER_MS;
    this.#quietMs = peak < AUDIBLE ? this.#quietMs + ms : 0;
    if (this.#quietMs >= HOLD_MS) this.end();
    if (this.#stretch !== null) return this.#goOn(this.#stretch, block, peak, ms);
    if (peak >= AUDIBLE) this.#begin(block, peak);
    else this.#before = block;
  }

  /** Nothing more comes for now. */
  end(): void {
    if (this.#stretch !== null) this.#parts.segments.end(this.#stretch);
    this.cut();
  }

  /** What was heard so far will not sound: what comes next begins anew. */
  cut(): void {
    this.#stretch = null;
    this.#before = null;
    this.#isLate = false;
  }

  #begin(block: Int16Array, peak: number): void {
    this.#stretch = `live ${++this.#stretches}`;
    this.#loudness = peak;
    this.#parts.segments.beginLive(this.#stretch);
    if (this.#before) this.#parts.segments.chunk(this.#stretch, bytesOf(this.#before));
    this.#parts.segments.chunk(this.#stretch, bytesOf(block));
    this.#before = null;
  }

  #goOn(stretch: string, block: Int16Array, peak: number, ms: number): void {
    this.#loudness = Math.max(peak, this.#loudness * FADING_PER_MS ** ms);
    const queuedMs = this.#parts.queuedMs();
    this.#isLate = queuedMs > (this.#isLate ? TRIM_MS : LATE_MS);
    const isQuiet = peak < Math.max(AUDIBLE, this.#loudness * SHARE_OF_VOICE);
    if (this.#isLate || (isQuiet && queuedMs > TRIM_MS)) return;
    this.#parts.segments.chunk(stretch, bytesOf(block));
  }
}

function peakOf(samples: Int16Array): number {
  let peak = 0;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  return peak;
}

const bytesOf = (samples: Int16Array): Uint8Array =>
  new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
