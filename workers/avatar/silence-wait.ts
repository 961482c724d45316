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

  /** Resolves on silence, after `withinMs`, or on `stop`. */
  wait(withinMs: number): Promise<void> {
    const endsAt = this.#clock.elapsed() + withinMs;
    return new Promise((resolve) => {
      const check = () => {
        const leftMs = endsAt - this.#clock.elapsed();
        if (this.#isSilent() || leftMs <= 0) return resolve();
        const cancel = this.#clock.after(Math.min(CHECK_MS, leftMs), check);
        this.#stop = () => {
          cancel();
          resolve();
        };
      };
      check();
    });
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
