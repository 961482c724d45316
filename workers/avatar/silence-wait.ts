import type { Clock } from '#shared/clock.ts';

const CHECK_MS = 50;

/** A limited wait for the end of a session's speech. */
export class SilenceWait {
  readonly #clock: Clock;
  readonly #isSilent: () => boolean;
  #stop = () => {};

  constructor(clock: Clock, isSilent: () => boolean) {
    this.#clock = clock;
    this.#isSilent = isSilent;
  }

  /** Resolves on silence or after `withinMs`. `stop` makes it look at once. */
  async wait(withinMs: number): Promise<void> {
    const endsAt = this.#clock.elapsed() + withinMs;
    for (let leftMs = withinMs; !this.#isSilent() && leftMs > 0;) {
      await this.rest(Math.min(CHECK_MS, leftMs));
      leftMs = endsAt - this.#clock.elapsed();
    }
  }

  /** Resolves after `ms`, or on `stop`. */
  rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(ms, resolve);
      this.#stop = () => {
        cancel();
        resolve();
      };
    });
  }

  stop(): void {
    this.#stop();
  }
}
