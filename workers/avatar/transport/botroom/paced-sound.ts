import type { Clock } from '#shared/clock.ts';
import { AUDIO_RATE } from '#protocol/audio.ts';
import { AUDIO_QUEUE_MS } from '../transport.ts';

/** Sound leaves in pieces of at most this length. */
const PIECE_MS = 20;
const SAMPLES_PER_MS = AUDIO_RATE / 1000;
const PIECE_SAMPLES = PIECE_MS * SAMPLES_PER_MS;

type Awaited = { takenAt: number; onTaken: () => void };

/**
 * Sends queued sound in real time, each piece `leadMs` before it plays. The times follow from the
 * number of samples sent since the queue was last empty, so delays of timers do not add up; after a
 * stall, all pieces that are due leave at once.
 */
export class PacedSound {
  readonly #clock: Clock;
  readonly #send: (samples: Int16Array) => void;
  #waiting: Int16Array[] = [];
  #awaited: Awaited[] = [];
  /** Samples of the first waiting run that were sent. */
  #sentOfFirst = 0;
  /** The schedule: `#sent` samples, the first one at `#originMs`. */
  #originMs = -Infinity;
  #sent = 0;
  #queued = 0;
  #cancelTimer = () => {};
  /** Sound that the receiver holds, against gaps. The first piece of a run is not early. */
  leadMs = 0;

  constructor(clock: Clock, send: (samples: Int16Array) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  /** The first piece leaves after the caller has returned; with a lead, before. */
  play(samples: Int16Array, onTaken: () => void): void {
    const now = this.#clock.elapsed();
    if (this.#queued === 0 && this.#dueAt < now) {
      this.#originMs = now;
      this.#sent = 0;
    }
    this.#queued += samples.length;
    this.#waiting.push(samples);
    const endsAt = this.#dueAt + this.#queued / SAMPLES_PER_MS;
    this.#awaited.push({ takenAt: endsAt - AUDIO_QUEUE_MS, onTaken });
    // Drawing the mouth of a first run has kept its sound back for 30 to 90 ms.
    if (this.leadMs > 0) this.#wake(now);
    else this.#sleep();
  }

  /** Drops what is not due yet. After a stall, its timer may not have run for what is. */
  clear(): void {
    const due = (this.#clock.elapsed() - this.#dueAt) * SAMPLES_PER_MS;
    for (let left = Math.min(Math.floor(due), this.#queued); left > 0; left -= PIECE_SAMPLES)
      this.#sendPiece(Math.min(left, PIECE_SAMPLES));
    this.#cancelTimer();
    this.#waiting = [];
    this.#awaited = [];
    this.#sentOfFirst = 0;
    this.#queued = 0;
    // A receiver drops what it holds.
    if (this.leadMs > 0) this.#originMs = -Infinity;
  }

  /** Until what has left has played. */
  get startDelayMs(): number {
    return Math.max(0, this.#dueAt - this.#clock.elapsed());
  }

  /** When the next piece plays, or when all that left has played. */
  get #dueAt(): number {
    return this.#originMs + this.#sent / SAMPLES_PER_MS;
  }

  #sleep(): void {
    this.#cancelTimer();
    if (this.#queued === 0) return;
    const atMs = Math.min(this.#dueAt - this.leadMs, this.#awaited[0]?.takenAt ?? Infinity);
    const waitMs = Math.max(0, atMs - this.#clock.elapsed());
    this.#cancelTimer = this.#clock.after(waitMs, () => this.#wake(atMs));
  }

  /** A timer may fire slightly early; it still stands for the time it was set for. */
  #wake(atMs: number): void {
    const now = Math.max(atMs, this.#clock.elapsed());
    while (this.#queued > 0 && this.#dueAt - this.leadMs <= now)
      this.#sendPiece(Math.min(PIECE_SAMPLES, this.#queued));
    while (this.#awaited[0] && this.#awaited[0].takenAt <= now) this.#awaited.shift()?.onTaken();
    this.#sleep();
  }

  #sendPiece(length: number): void {
    const piece = new Int16Array(length);
    for (let filled = 0; filled < piece.length;) {
      const first = this.#waiting[0]!;
      const part = first.subarray(this.#sentOfFirst, this.#sentOfFirst + piece.length - filled);
      piece.set(part, filled);
      filled += part.length;
      this.#sentOfFirst += part.length;
      if (this.#sentOfFirst < first.length) continue;
      this.#waiting.shift();
      this.#sentOfFirst = 0;
    }
    this.#sent += piece.length;
    this.#queued -= piece.length;
    this.#send(piece);
  }
}
