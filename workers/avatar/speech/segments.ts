import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { AUDIO_RATE, isSpeechFormat, type SpeechFormat } from '#protocol/audio.ts';
import { Segment } from './segment.ts';

/** A track that delivers nothing for this long has ended. */
const SILENT_TRACK_MS = 10_000;
/**
 * Streams are read concurrently: chunks of one may arrive this long after the header of the next.
 */
const OVERLAP_MS = 200;
/** Limit for the speech queued in a session. */
const MAX_WAITING_MS = 30 * 60_000;
/** The same for speech with many channels or a high rate: half an hour of 48 kHz stereo. */
const MAX_WAITING_BYTES = 350_000_000;

/** A table is computed for each. Agents use one rate, or one of each voice. */
export const MOST_RATES = 8;

const FALLBACK_FORMAT = { sampleRate: 24_000, channels: 1 };
const LIVE_FORMAT = { sampleRate: AUDIO_RATE, channels: 1 };

type Open = { segment: Segment; cancelTimer: () => void };

/**
 * Queues received speech as segments, in the order of their headers. The first of these ends one:
 *   its trailer,
 *   OVERLAP_MS after the next header or its own latest chunk since then (its trailer was lost),
 *   SILENT_TRACK_MS without a chunk of a track,
 *   more than MAX_WAITING_MS or MAX_WAITING_BYTES queued.
 * Other silence ends none: an agent may pause in mid-sentence for as long as it likes.
 * After `clear`, chunks of earlier streams are ignored.
 */
export class Segments {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #onChange: () => void;
  readonly #maxWaitingBytes: number;
  readonly #open = new Map<string, Open>();
  #queue: Segment[] = [];
  #lastId = 0;
  /** Rates that the session's agent has used. */
  readonly #rates = new Set<number>();

  /** `onChange` is called when a segment grows or ends. */
  constructor(
    clock: Clock,
    log: Log,
    onChange: () => void,
    maxWaitingBytes: number = MAX_WAITING_BYTES,
  ) {
    this.#clock = clock;
    this.#log = log;
    this.#onChange = onChange;
    this.#maxWaitingBytes = maxWaitingBytes;
  }

  /** The segment that is playing, or plays next. */
  get first(): Segment | undefined {
    return this.#queue[0];
  }

  /** Removes the first segment. */
  shift(): void {
    this.#queue.shift();
  }

  /**
   * `onOpened` receives the segment's id before anything else happens to it. One that cannot be
   * played stays empty.
   */
  begin(
    stream: string,
    format: SpeechFormat,
    onOpened: (segment: number, isPlayable: boolean) => void,
  ): void {
    for (const [id, open] of this.#open) this.#endIn(id, open, OVERLAP_MS);
    const isPlayable = isSpeechFormat(format) && this.#takesRate(format.sampleRate);
    const segment = this.#enqueue(isPlayable ? format : FALLBACK_FORMAT, false);
    onOpened(segment.id, isPlayable);
    if (!isPlayable) {
      // The agent counts it too: it is reported as an empty segment.
      this.#log.error(
        { segment: segment.id, ...format },
        'unsupported speech format, segment ignored',
      );
      segment.end();
      return this.#onChange();
    }
    this.#keepOpen(stream, segment);
  }

  /** Begins a segment of a track's audio: mono at `AUDIO_RATE`, not reported to the agent. */
  beginLive(stream: string): void {
    this.#keepOpen(stream, this.#enqueue(LIVE_FORMAT, true));
  }

  chunk(stream: string, bytes: Uint8Array): void {
    const open = this.#open.get(stream);
    if (!open) return;
    open.segment.receive(bytes);
    this.#watch(stream, open);
    if (this.waitingMs > MAX_WAITING_MS || this.#waitingBytes > this.#maxWaitingBytes) {
      this.#log.warn({ segment: open.segment.id }, 'segment ended: too much speech queued');
      return this.end(stream);
    }
    this.#onChange();
  }

  end(stream: string): void {
    const open = this.#open.get(stream);
    if (!open) return;
    open.cancelTimer();
    this.#open.delete(stream);
    open.segment.end();
    this.#onChange();
  }

  clear(): void {
    for (const open of this.#open.values()) open.cancelTimer();
    this.#open.clear();
    this.#queue = [];
  }

  /** Duration of the queued speech. */
  get waitingMs(): number {
    return this.#queue.reduce((sum, segment) => sum + segment.availableMs, 0);
  }

  get #waitingBytes(): number {
    return this.#queue.reduce((sum, segment) => sum + segment.waitingBytes, 0);
  }

  #enqueue(format: SpeechFormat, isLive: boolean): Segment {
    const segment = new Segment(++this.#lastId, format, isLive);
    this.#queue.push(segment);
    return segment;
  }

  #takesRate(rate: number): boolean {
    if (this.#rates.size < MOST_RATES) this.#rates.add(rate);
    return this.#rates.has(rate);
  }

  #keepOpen(stream: string, segment: Segment): void {
    const open = { segment, cancelTimer: () => {} };
    this.#open.set(stream, open);
    this.#watch(stream, open);
  }

  #watch(stream: string, open: Open): void {
    if (!this.#isNewest(open.segment)) this.#endIn(stream, open, OVERLAP_MS);
    else if (open.segment.isLive) this.#endIn(stream, open, SILENT_TRACK_MS);
  }

  #endIn(stream: string, open: Open, ms: number): void {
    open.cancelTimer();
    open.cancelTimer = this.#clock.after(ms, () => {
      this.#log.info({ segment: open.segment.id }, 'segment ended without a trailer');
      this.end(stream);
    });
  }

  #isNewest = (segment: Segment): boolean => segment.id === this.#lastId;
}
