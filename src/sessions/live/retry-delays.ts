import type { Clock } from '#shared/clock.ts';

/** Pauses before failed work is repeated. Closing cancels them. */
export class RetryDelays {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #cancels = new Set<() => void>();
  #isClosed = false;

  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
  }

  after(run: () => void): void {
    if (this.#isClosed) return;
    const cancel = this.#clock.after(this.#ms, () => {
      this.#cancels.delete(cancel);
      run();
    });
    this.#cancels.add(cancel);
  }

  close(): void {
    this.#isClosed = true;
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
  }
}
