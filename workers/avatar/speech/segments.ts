import { AUDIO_RATE } from '#protocol/audio.ts';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { Segment } from './segment.ts';

/** A stream that is silent for this long without its trailer has lost it. */
const SILENT_STREAM_MS = 10_000;
/** How long the rest of an old stream may still come in after the header of the next one: they are read beside each other. */
const OVERLAP_MS = 200;
/** Speech that waits in a session, at most. */
const WAITING_MS_MAX = 30 * 60_000;

const ANY_FORMAT = { sampleRate: 24_000, channels: 1 };
const LIVE_FORMAT = { sampleRate: AUDIO_RATE, channels: 1 };

type Format = { sampleRate: number; channels: number };
type Open = { segment: Segment; cancelTimer: () => void };

/**
 * Speech in, segments out, in the order of their beginnings. A segment is open from its header until, whichever comes first,
 *   its trailer,
 *   200 ms after the next header (its trailer was lost),
 *   10 s without a chunk (the same),
 *   the session holds 30 minutes of waiting speech.
 * `clear` forgets them all: what still arrives for a forgotten stream is ignored.
 */
export class Segments {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #onChange: () => void;
  readonly #open = new Map<string, Open>();
  #queue: Segment[] = [];
  #lastId = 0;

  /** `onChange` is called when a segment grew or ended. */
  constructor(clock: Clock, log: Log, onChange: () => void) {
    this.#clock = clock;
    this.#log = log;
    this.#onChange = onChange;
  }

  /** The segment that sounds now, or the next one that will. */
  get first(): Segment | undefined {
    return this.#queue[0];
  }

  /** The first segment was taken to its end. */
  shift(): void {
    this.#queue.shift();
  }

  /** `onOpened` hears the segment's id before anything else happens to it. */
  begin(stream: string, format: Format, onOpened: (segment: number) => void): void {
    for (const [id, open] of this.#open) this.#endIn(id, open, OVERLAP_MS);
    const readable = isReadable(format);
    const segment = this.#enqueue(readable ? format : ANY_FORMAT, false);
    onOpened(segment.id);
    if (!readable) {
      // It counts for the agent all the same: it is reported as played, with nothing in it.
      this.#log.warn({ segment: segment.id, ...format }, 'speech of unknown form ignored');
      segment.end();
      return this.#onChange();
    }
    this.#keepOpen(stream, segment);
  }

  /** One stretch of speech from a track, mono at 48 kHz. Nobody is told of it. */
  beginLive(stream: string): void {
    this.#keepOpen(stream, this.#enqueue(LIVE_FORMAT, true));
  }

  chunk(stream: string, bytes: Uint8Array): void {
    const open = this.#open.get(stream);
    if (!open) return;
    open.segment.receive(bytes);
    this.#endIn(stream, open, this.#isNewest(open.segment) ? SILENT_STREAM_MS : OVERLAP_MS);
    if (this.waitingMs > WAITING_MS_MAX) {
      this.#log.warn({ segment: open.segment.id }, 'segment ended: too much speech waits');
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

  /** How much speech is here that was not taken yet. */
  get waitingMs(): number {
    return this.#queue.reduce((sum, segment) => sum + segment.availableMs, 0);
  }

  #enqueue(format: Format, isLive: boolean): Segment {
    const segment = new Segment(++this.#lastId, format, isLive);
    this.#queue.push(segment);
    return segment;
  }

  #keepOpen(stream: string, segment: Segment): void {
    const open = { segment, cancelTimer: () => {} };
    this.#open.set(stream, open);
    this.#endIn(stream, open, SILENT_STREAM_MS);
  }

  #endIn(stream: string, open: Open, ms: number): void {
    open.cancelTimer();
    open.cancelTimer = this.#clock.after(ms, () => {
      this.#log.info({ segment: open.segment.id }, 'segment ended: its trailer was lost');
      this.end(stream);
    });
  }

  #isNewest = (segment: Segment): boolean => segment.id === this.#lastId;
}

const isReadable = ({ sampleRate, channels }: Format): boolean =>
  Number.isInteger(sampleRate) &&
  sampleRate >= 8_000 &&
  sampleRate <= 48_000 &&
  (channels === 1 || channels === 2);
