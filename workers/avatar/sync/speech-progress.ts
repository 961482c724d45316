import type { Clock } from '#shared/clock.ts';

/** Bounds the error of the position that a successor reports after a crash; 200 ms are allowed. */
const EVERY_MS = 100;

type Parts = {
  /** Seconds played of each open segment. */
  read: () => number[];
  tell: (open: number[]) => void;
};

/**
 * Reports the positions of the agent's open segments, so that another worker can answer the agent
 * if this one dies. Reports at once when a segment opens or ends, then periodically while a
 * position changes.
 */
export class SpeechProgress {
  readonly #clock: Clock;
  readonly #parts: Parts;
  #lastText: string | null = null;
  #cancelTimer = () => {};

  constructor(clock: Clock, parts: Parts) {
    this.#clock = clock;
    this.#parts = parts;
  }

  /** Call when a segment opens or ends. */
  changed(): void {
    this.#cancelTimer();
    const open = this.#parts.read();
    const text = open.join();
    if (text !== this.#lastText) this.#parts.tell(open);
    this.#lastText = text;
    if (open.length > 0) this.#cancelTimer = this.#clock.after(EVERY_MS, () => this.changed());
  }

  close(): void {
    this.#cancelTimer();
  }
}
