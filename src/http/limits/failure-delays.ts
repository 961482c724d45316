import type { Clock } from '#shared/clock.ts';

/** The first failures cost nothing: people mistype. */
const FREE = 5;
const MAX_DELAY_MS = 300_000;
const FORGOTTEN_MS = 3_600_000;
/** Upper bound, to limit memory. */
const MAX_NAMES = 10_000;

type Failures = { count: number; lastAt: number };

/** Makes each further try after a failure wait twice as long, per name. Success forgets. */
export class FailureDelays {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #failures = new Map<string, Failures>();

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock;
  }

  /**
   * Milliseconds to wait; 0: the try may go on, and counts as failed until `succeeded`. Counting
   * first keeps concurrent tries within the limit.
   */
  begin(name: string): number {
    const now = this.#clock.elapsed();
    const failures = this.#failures.get(name);
    const { count, lastAt } =
      failures && now - failures.lastAt < FORGOTTEN_MS ? failures : { count: 0, lastAt: now };
    const delayMs = count < FREE ? 0 : Math.min(MAX_DELAY_MS, 1000 * 2 ** (count - FREE));
    const waitMs = count === 0 ? 0 : lastAt + delayMs - now;
    if (waitMs > 0) return waitMs;
    // Set last, so that the oldest comes first.
    this.#failures.delete(name);
    this.#failures.set(name, { count: count + 1, lastAt: now });
    if (this.#failures.size > MAX_NAMES) this.#failures.delete(this.#failures.keys().next().value!);
    return 0;
  }

  succeeded(name: string): void {
    this.#failures.delete(name);
  }
}
