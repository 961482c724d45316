import type { Clock } from '#shared/clock.ts';
import { CLIENT_RATES } from './limits.ts';

type Rate = { burst: number; perSecond: number };

/** Token buckets for the messages and bytes of one sender of speech. */
export class ClientRates {
  readonly #records: Bucket;
  readonly #bytes: Bucket;

  constructor(clock: Clock) {
    this.#records = new Bucket(clock, CLIENT_RATES.records);
    this.#bytes = new Bucket(clock, CLIENT_RATES.bytes);
  }

  /**
   * The client was not read until now: what it sent meanwhile arrives at once, beyond the burst.
   */
  catchUp(): void {
    this.#records.catchUp();
    this.#bytes.catchUp();
  }

  /** False when the client sent too much. */
  take(records: number, bytes: number): boolean {
    return this.#records.take(records) && this.#bytes.take(bytes);
  }
}

class Bucket {
  readonly #clock: Clock;
  readonly #rate: Rate;
  #left: number;
  #filledAt: number;

  constructor(clock: Clock, rate: Rate) {
    this.#clock = clock;
    this.#rate = rate;
    this.#left = rate.burst;
    this.#filledAt = clock.elapsed();
  }

  take(amount: number): boolean {
    const { burst } = this.#rate;
    const filled = this.#left + this.#added();
    this.#left = Math.max(this.#left, Math.min(burst, filled)) - amount;
    return this.#left >= 0;
  }

  catchUp(): void {
    this.#left += this.#added();
  }

  #added(): number {
    const now = this.#clock.elapsed();
    const added = ((now - this.#filledAt) / 1_000) * this.#rate.perSecond;
    this.#filledAt = now;
    return added;
  }
}
