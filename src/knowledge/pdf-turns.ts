/*
 * Orders the reads of PDFs. One runs at a time, which bounds memory; the others wait in order of
 * arrival. An account may occupy only a few places, and no wait is longer than `waitMs`.
 */
import type { Clock } from '#shared/clock.ts';
import { Fault } from '../errors.ts';

export type TurnLimits = {
  /** PDFs of one account that are read or wait. */
  perAccount: number;
  waitMs: number;
};

type Waiting = { start: () => void; refuse: (fault: Fault) => void };

/** `close` refuses all reads that wait. */
export class PdfTurns {
  readonly #clock: Clock;
  readonly #limits: TurnLimits;
  readonly #perAccount = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #isTaken = false;
  #isClosed = false;

  constructor(clock: Clock, limits: TurnLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /**
   * Runs `read` when it is its turn. Throws `rate_limit` if the account occupies all its places,
   * and `at_capacity` if its turn does not come in time.
   */
  async take<Result>(accountId: string, read: () => Promise<Result>): Promise<Result> {
    const { perAccount, waitMs } = this.#limits;
    const places = this.#perAccount.get(accountId) ?? 0;
    if (places >= perAccount) {
      const detail = `${perAccount} PDFs of this account are being read. Submit this one when one of them is done.`;
      throw new Fault('rate_limit', { detail, retryAfterSeconds: Math.ceil(waitMs / 1000) });
    }
    this.#perAccount.set(accountId, places + 1);
    try {
      await this.#turn();
      try {
        return await read();
      } finally {
        this.#next();
      }
    } finally {
      const remaining = (this.#perAccount.get(accountId) ?? 1) - 1;
      if (remaining > 0) this.#perAccount.set(accountId, remaining);
      else this.#perAccount.delete(accountId);
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const { refuse } of this.#waiting) refuse(stopping());
  }

  #turn(): Promise<void> {
    if (this.#isClosed) throw stopping();
    if (!this.#isTaken) {
      this.#isTaken = true;
      return Promise.resolve();
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      cancel();
      this.#waiting.delete(waiting);
    };
    const waiting: Waiting = {
      start: () => (leave(), resolve()),
      refuse: (fault) => (leave(), reject(fault)),
    };
    const cancel = this.#clock.after(this.#limits.waitMs, () => waiting.refuse(busy()));
    this.#waiting.add(waiting);
    return promise;
  }

  #next(): void {
    const [waiter] = this.#waiting;
    if (waiter) waiter.start();
    else this.#isTaken = false;
  }
}

const busy = (): Fault =>
  new Fault('at_capacity', {
    detail: 'Other PDFs are being read. Please submit this one again shortly.',
    retryAfterSeconds: 10,
  });

export const stopping = (): Fault =>
  new Fault('at_capacity', {
    detail: 'The service is stopping. Please try again shortly.',
    retryAfterSeconds: 2,
  });
