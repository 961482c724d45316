import { SerialQueue } from '#shared/serial-queue.ts';
import { Fault } from '../../errors.ts';
import { hashPassword, matchingHashes, type PasswordCost } from './password-hash.ts';

/** Passwords that may wait for their check. Each takes a tenth of a second of one thread. */
const MAX_WAITING = 20;

/** Hashes and checks one password at a time, so that guesses cannot take every thread. */
export class Passwords {
  readonly #cost: PasswordCost | undefined;
  readonly #hashing = new SerialQueue();
  #waiting = 0;
  /** Checked where there is no hash, so that it takes as long as with one. */
  #nobody: string | null = null;

  /** `cost`: of new hashes. Default: that of production. */
  constructor(cost?: PasswordCost) {
    this.#cost = cost;
  }

  /** Takes a tenth of a second, so hash before a transaction. `like`: as `hashPassword`. */
  hash(password: string, like: string | null = null): Promise<string> {
    return this.#inTurn(() => hashPassword(password, this.#cost, like));
  }

  /** Those of `hashes` that the password has. */
  async matching(password: string, hashes: readonly string[]): Promise<ReadonlySet<string>> {
    const isKnown = hashes.length > 0;
    const checked = isKnown ? hashes : [await this.#hashOfNobody()];
    const matches = await this.#inTurn(() => matchingHashes(password, checked));
    return isKnown ? matches : new Set();
  }

  async #hashOfNobody(): Promise<string> {
    return (this.#nobody ??= await this.hash(''));
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#waiting >= MAX_WAITING) throw new Fault('rate_limit', { retryAfterSeconds: 2 });
    this.#waiting += 1;
    try {
      return await this.#hashing.run(work);
    } finally {
      this.#waiting -= 1;
    }
  }
}
