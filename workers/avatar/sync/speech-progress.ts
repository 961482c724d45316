import type { Clock } from '#shared/clock.ts';

const EVERY_MS = 200;

type Parts = {
  /** How much was heard of each open segment, in seconds. */
  read: () => number[];
  tell: (open: number[]) => void;
};

/**
 * Tells how far the agent's open segments have come: whoever takes the session over from a worker that died tells the agent. At once when a
 * segment begins or ends, then every 200 ms as long as one is open and moves.
 */
export class SpeechProgress {
  readonly #clock: Clock;
  readonly #parts: Parts;
  #told: string | null = null;
  #cancelTimer = () => {};

  constructor(clock: Clock, parts: Parts) {
    this.#clock = clock;
    this.#parts = parts;
  }

  /** A segment is open from now on, or not any more. */
  changed(): void {
    this.#cancelTimer();
    const open = this.#parts.read();
    const text = open.join();
    if (text !== this.#told) this.#parts.tell(open);
    this.#told = text;
    if (open.length > 0) this.#cancelTimer = this.#clock.after(EVERY_MS, () => this.changed());
  }

  close(): void {
    this.#cancelTimer();
  }
}
