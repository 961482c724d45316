import type { Clock } from '#shared/clock.ts';

/** What is heard between the last word of a worker and its death is missing in what its successor tells the agent: at most this, of 200 ms allowed. */
const EVERY_MS = 100;

type Parts = {
  /** How much was heard of each open segment, in seconds. */
  read: () => number[];
  tell: (open: number[]) => void;
};

/**
 * Tells how far the agent's open segments have come: whoever takes the session over from a worker that died tells the agent. At once when a
 * segment begins or ends, then every 100 ms as long as one is open and moves.
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
