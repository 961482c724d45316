import type { Clock } from '#shared/clock.ts';
import { AUDIO_RATE } from '#protocol/audio.ts';
import { AUDIO_QUEUE_MS } from '../transport.ts';

/** Sound leaves in pieces of at most this length. */
const PIECE_MS = 20;
const SAMPLES_PER_MS = AUDIO_RATE / 1000;
const PIECE_SAMPLES = PIECE_MS * SAMPLES_PER_MS;

type PendingCall = { takenAt: number; onTaken: () => void };

/**
 * Sends queued sound in real time, each piece `leadMs` before it plays. The times follow from the
 * number of samples sent since the queue was last empty, so delays of timers do not add up; after a
 * stall, all pieces that are due leave at once.
 */
export class PacedSound {
  readonly #clock: Clock;
  readonly #send: (samples: Int16Array) => void;
  #runs: Int16Array[] = [];
  #pendingCalls: PendingCall[] = [];
  /** Samples of the first waiting run that were sent. */
  #sentOfFirst = 0;
  /** The schedule: `#sent` samples, the first one at `#originMs`. */
  #originMs = -Infinity;
  #sentSamples = 0;
  #queuedSamples = 0;
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
    if (this.#queuedSamples === 0 && this.#dueAt < now) {
      this.#originMs = now;
      this.#sentSamples = 0;
    }
    this.#queuedSamples += samples.length;
    this.#runs.push(samples);
    const endsAt = this.#dueAt + this.#queuedSamples / SAMPLES_PER_MS;
    this.#pendingCalls.push({ takenAt: endsAt - AUDIO_QUEUE_MS, onTaken });
    // Drawing the mouth of a first run has kept its sound back for 30 to 90 ms.
    if (this.leadMs > 0) this.#wake(now);
    else this.#sleep();
  }

  /** Drops what is not due yet. After a stall, its timer may not have run for what is. */
  clear(): void {
    const dueSamples = (this.#clock.elapsed() - this.#dueAt) * SAMPLES_PER_MS;
    for (
      let remainingSamples = Math.min(Math.floor(dueSamples), this.#queuedSamples);
      remainingSamples > 0;
      remainingSamples -= PIECE_SAMPLES
    )
      this.#sendPiece(Math.min(remainingSamples, PIECE_SAMPLES));
    this.#cancelTimer();
    this.#runs = [];
    this.#pendingCalls = [];
    this.#sentOfFirst = 0;
    this.#queuedSamples = 0;
    // A receiver drops what it holds.
    if (this.leadMs > 0) this.#originMs = -Infinity;
  }

  /** Until what has left has played. */
  get startDelayMs(): number {
    return Math.max(0, this.#dueAt - this.#clock.elapsed());
  }

  /** When the next piece plays, or when all that left has played. */
  get #dueAt(): number {
    return this.#originMs + this.#sentSamples / SAMPLES_PER_MS;
  }

  #sleep(): void {
    this.#cancelTimer();
    if (this.#queuedSamples === 0) return;
    const atMs = Math.min(this.#dueAt - this.leadMs, this.#pendingCalls[0]?.takenAt ?? Infinity);
    const waitMs = Math.max(0, atMs - this.#clock.elapsed());
    this.#cancelTimer = this.#clock.after(waitMs, () => this.#wake(atMs));
  }

  /** A timer may fire slightly early; it still stands for the time it was set for. */
  #wake(atMs: number): void {
    const now = Math.max(atMs, this.#clock.elapsed());
    while (this.#queuedSamples > 0 && this.#dueAt - this.leadMs <= now)
      this.#sendPiece(Math.min(PIECE_SAMPLES, this.#queuedSamples));
    while (this.#pendingCalls[0] && this.#pendingCalls[0].takenAt <= now)
      this.#pendingCalls.shift()?.onTaken();
    this.#sleep();
  }

  #sendPiece(length: number): void {
    const piece = new Int16Array(length);
    for (let filled = 0; filled < piece.length;) {
      const run = this.#runs[0]!;
      const part = run.subarray(this.#sentOfFirst, this.#sentOfFirst + piece.length - filled);
      piece.set(part, filled);
      filled += part.length;
      this.#sentOfFirst += part.length;
      if (this.#sentOfFirst < run.length) continue;
      this.#runs.shift();
      this.#sentOfFirst = 0;
    }
    this.#sentSamples += piece.length;
    this.#queuedSamples -= piece.length;
    this.#send(piece);
  }
}
