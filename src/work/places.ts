import { Fault } from '../errors.ts';

type PlaceLimits = {
  perAccount: number;
  /** Limit of all accounts together. Default: none. */
  total?: number;
  /** The sentence of the fault `rate_limit`. */
  refusal: string;
  /** The sentence of the fault `at_capacity`. */
  totalRefusal?: string;
  retryAfterSeconds: number;
};

/** Bounds what one account, and all accounts, do at a time. Work without a place is refused. */
export class Places {
  readonly #limits: PlaceLimits;
  /** Places in use, by account. */
  readonly #holders = new Map<string, number>();

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  /**
   * Runs `work` in a place of the account. Throws `rate_limit` if the account occupies all of its
   * own, and `at_capacity` if all are occupied.
   */
  async hold<Result>(accountId: string, work: () => Promise<Result>): Promise<Result> {
    const leave = this.take(accountId);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Like `hold`; returns what gives the place back. */
  take(accountId: string): () => void {
    const { perAccount, total, refusal, totalRefusal, retryAfterSeconds } = this.#limits;
    const places = this.#holders.get(accountId) ?? 0;
    if (places >= perAccount) throw new Fault('rate_limit', { detail: refusal, retryAfterSeconds });
    if (total !== undefined && this.#total >= total)
      throw new Fault('at_capacity', {
        ...(totalRefusal && { detail: totalRefusal }),
        retryAfterSeconds,
      });
    this.#holders.set(accountId, places + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const count = this.#holders.get(accountId)! - 1;
      if (count > 0) this.#holders.set(accountId, count);
      else this.#holders.delete(accountId);
    };
  }

  get #total(): number {
    return [...this.#holders.values()].reduce((sum, count) => sum + count, 0);
  }
}
