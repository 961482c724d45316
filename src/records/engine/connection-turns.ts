import type { Clock } from '#shared/clock.ts';
import { Fault } from '../../errors.ts';

export type TurnLimits = {
  connections: number;
  /** Most requests that may wait. */
  waiting: number;
  /** How long no connection may become free while requests wait. */
  stalledAfterMs: number;
};

/**
 * Shares a limited number of connections, first come, first served. A busy server is not an
 * unavailable one: requests wait as long as others give their connections back.
 */
export class ConnectionTurns {
  readonly #clock: Clock;
  readonly #limits: TurnLimits;
  readonly #stalled: () => Error;
  readonly #waiting: PromiseWithResolvers<void>[] = [];
  #free: number;
  #stopWatch = (): void => {};

  constructor(clock: Clock, limits: TurnLimits, stalled: () => Error) {
    this.#clock = clock;
    this.#limits = limits;
    this.#stalled = stalled;
    this.#free = limits.connections;
  }

  /** Throws `at_capacity` if too many wait, and `stalled()` if no connection becomes free. */
  async take(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    if (this.#waiting.length >= this.#limits.waiting) throw busy();
    const turn = Promise.withResolvers<void>();
    this.#waiting.push(turn);
    if (this.#waiting.length === 1) this.#watch();
    await turn.promise;
  }

  giveBack(): void {
    this.#next();
    this.#stopWatch();
    if (this.#waiting.length > 0) this.#watch();
  }

  /** For a connection that could not be opened, which is no sign of a working server. */
  giveUp(): void {
    this.#next();
    if (this.#waiting.length === 0) this.#stopWatch();
  }

  #next(): void {
    const turn = this.#waiting.shift();
    if (turn) turn.resolve();
    else this.#free += 1;
  }

  #watch(): void {
    this.#stopWatch = this.#clock.after(this.#limits.stalledAfterMs, () => {
      const error = this.#stalled();
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    });
  }
}

const busy = (): Fault =>
  new Fault('at_capacity', {
    detail: 'The database is busy. Please try again shortly.',
    advice: 'Try again after the seconds in Retry-After.',
    retryAfterSeconds: 2,
  });
