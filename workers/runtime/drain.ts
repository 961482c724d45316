import type { Clock } from '#shared/clock.ts';

/** How long the control plane has to move what has not finished in time, each session at its next silence; then it is as if this worker had died. */
export const HAND_OVER_MS = 15_000;

export type DrainOptions = {
  clock: Clock;
  /** How long sessions may go on here. */
  limitMs: number;
  /** Told when that is over. */
  onTimeUp: () => void;
};

/**
 * How a worker stops taking sessions:
 * idle          takes what it is given                           -> finishing
 * finishing     takes nothing new; what runs goes on to its end  -> handing over when it takes too long
 * handing over  other workers take over what still runs          -> over after HAND_OVER_MS
 * over          from any state, also when nothing is left
 */
export class Drain {
  readonly #options: DrainOptions;
  readonly #over = Promise.withResolvers<void>();
  /** When sessions may go on here no longer; null while idle. */
  #endsAt: number | null = null;
  #cancelTimer = () => {};

  constructor(options: DrainOptions) {
    this.#options = options;
  }

  get isBegun(): boolean {
    return this.#endsAt !== null;
  }

  /** How much longer sessions may go on here; null while idle. */
  get leftMs(): number | null {
    if (this.#endsAt === null) return null;
    return Math.max(0, this.#endsAt - this.#options.clock.elapsed());
  }

  get over(): Promise<void> {
    return this.#over.promise;
  }

  begin(): void {
    if (this.isBegun) return;
    const { clock, limitMs, onTimeUp } = this.#options;
    this.#endsAt = clock.elapsed() + limitMs;
    this.#cancelTimer = clock.after(limitMs, () => {
      this.#cancelTimer = clock.after(HAND_OVER_MS, () => this.end());
      onTimeUp();
    });
  }

  /** Nothing is left, or nothing is waited for any more. */
  end(): void {
    this.close();
    this.#over.resolve();
  }

  close(): void {
    this.#cancelTimer();
  }
}
