import type { FastifyRequest } from 'fastify';
import type { Clock } from '#shared/clock.ts';
import { addressOf, WindowCounts } from './rate-limit.ts';

/** Wrong passwords per address, for all names together. */
const TRIES_PER_MINUTE = 10;

export class PasswordTries {
  readonly #counts: WindowCounts;

  constructor(clock: Clock) {
    this.#counts = new WindowCounts(clock);
  }

  /**
   * Counts as wrong until `succeeded`: concurrent tries must not get past the limit. `isSuspect`:
   * it is exceeded until `waitMs` from now.
   */
  begin(request: FastifyRequest): { isSuspect: boolean; waitMs: number } {
    const { current, ttl } = this.#counts.add(addressOf(request));
    return { isSuspect: current > TRIES_PER_MINUTE, waitMs: ttl };
  }

  succeeded(request: FastifyRequest): void {
    this.#counts.takeBack(addressOf(request));
  }
}
