import type { Clock } from '#shared/clock.ts';

/** The waits before something is tried again. Once closed it skips them all and begins no more. */
export class RetryDelays {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #skips = new Set<() => void>();
  #isClosed = false;

  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
  }

  /** `onSkip` runs instead when it closes first. */
  after(run: () => void, onSkip: () => void = () => {}): void {
    if (this.#isClosed) return onSkip();
    const cancel = this.#clock.after(this.#ms, () => {
      this.#skips.delete(skip);
      run();
    });
    const skip = () => {
      cancel();
      onSkip();
    };
    this.#skips.add(skip);
  }

  close(): void {
    this.#isClosed = true;
    for (const skip of this.#skips) skip();
    this.#skips.clear();
  }
}
