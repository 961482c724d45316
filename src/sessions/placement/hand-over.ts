import type { Clock } from '#shared/clock.ts';
import type { Lease } from '../../fleet/fleet.ts';

/** How long to wait at a time for a slot elsewhere: the worker asks again. */
const SEARCH_MS = 5_000;
/** How long a worker may wait for the edge of a segment before it falls silent in the middle of one, and then for its answer to come. */
const RELEASE_MS = 8_000;
const ANSWER_MS = 2_000;

export type HandOverParts = {
  clock: Clock;
  reserve: (waitMs: number, signal: AbortSignal) => Promise<Lease | null>;
  free: (lease: Lease) => void;
  /** Asks the worker that performs the session to fall silent. */
  askForRelease: (withinMs: number) => void;
};

/**
 * One session on its way to another worker:
 * searching  a slot elsewhere is waited for                          -> releasing, over when none came
 * releasing  the worker that performs it is asked to fall silent     -> over when it has, does not answer in time, or `goOn`
 * over       the session may go to `to`; null: it stays where it is
 */
export class HandOver {
  readonly #parts: HandOverParts;
  readonly #stop = new AbortController();
  readonly #released = Promise.withResolvers<void>();
  readonly #answered = Promise.withResolvers<void>();
  #to: Lease | null = null;

  constructor(parts: HandOverParts) {
    this.#parts = parts;
  }

  /** The slot elsewhere, once there is one. */
  get to(): Lease | null {
    return this.#to;
  }

  /** Resolves when no slot is waited for any more: until then another search would be for the same epoch, and could not be told from it. */
  get answered(): Promise<void> {
    return this.#answered.promise;
  }

  /** Resolves with the slot that the session may go to now; null when it stays, or was stopped. */
  async run(): Promise<Lease | null> {
    const { clock, reserve, free } = this.#parts;
    const { signal } = this.#stop;
    try {
      const to = await reserve(SEARCH_MS, signal);
      if (to && signal.aborted) free(to);
      else this.#to = to;
    } finally {
      this.#answered.resolve();
    }
    const to = this.#to;
    if (!to) return null;
    const cancel = clock.after(RELEASE_MS + ANSWER_MS, () => this.goOn());
    this.ask();
    await this.#released.promise;
    cancel();
    return signal.aborted ? null : to;
  }

  /** Also again: what the worker was asked may have been lost with its connection. */
  ask(): void {
    if (this.#to) this.#parts.askForRelease(RELEASE_MS);
  }

  /** Nothing more is to be waited for. */
  goOn(): void {
    this.#released.resolve();
  }

  /** The session goes nowhere any more: the slot is given back. */
  stop(): void {
    this.#stop.abort();
    if (this.#to) this.#parts.free(this.#to);
    this.goOn();
  }
}
