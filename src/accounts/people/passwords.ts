import { SerialQueue } from '#shared/serial-queue.ts';
import { Fault } from '../../errors.ts';
import { hashPassword, isPassword, type PasswordCost } from './password-hash.ts';

/** Passwords that may wait for their check. Each takes a tenth of a second of one thread. */
const MAX_WAITING = 20;

/** Hashes and checks one password at a time, so that guesses cannot take every thread. */
export class Passwords {
  readonly #cost: PasswordCost | undefined;
  readonly #hashing = new SerialQueue();
  #waiting = 0;
  /** Checked for an unknown name, so that it takes as long as a known one. */
  #nobody: string | null = null;

  /** `cost`: of new hashes. Default: that of production. */
  constructor(cost?: PasswordCost) {
    this.#cost = cost;
  }

  /** Takes a tenth of a second, so hash before a transaction. */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => hashPassword(password, this.#cost));
  }

  /**
   * `stored`: null for an unknown name, which no password matches. `isSuspect`: many wrong ones
   * came from the same address; the password is then checked only if no other check waits.
   */
  async check(password: string, stored: string | null, isSuspect = false): Promise<boolean> {
    if (isSuspect && this.#waiting > 0) throw tooMany();
    const hash = stored ?? (await this.#hashOfNobody());
    const isRight = await this.#inTurn(() => isPassword(password, hash));
    return isRight && stored !== null;
  }

  async #hashOfNobody(): Promise<string> {
    return (this.#nobody ??= await this.hash(''));
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#waiting >= MAX_WAITING) throw tooMany();
    this.#waiting += 1;
    try {
      return await this.#hashing.run(work);
    } finally {
      this.#waiting -= 1;
    }
  }
}

const tooMany = (): Fault => new Fault('rate_limit', { retryAfterSeconds: 2 });
