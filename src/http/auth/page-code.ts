import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { newSecret } from '#shared/ids.ts';

/**
 * Opens the try page in one browser. The service prints it in a link when it starts. It is known
 * to this process only, so each start makes a new one.
 */
export class PageCode {
  readonly text = newSecret(24);
  readonly #key = randomBytes(32);
  #isUsed = false;

  /** Whether it is the code, used or not. */
  is(code: string): boolean {
    return timingSafeEqual(this.#hash(code), this.#hash(this.text));
  }

  /** False for a wrong code, and for every use but the first. */
  use(code: string): boolean {
    if (this.#isUsed || !this.is(code)) return false;
    this.#isUsed = true;
    return true;
  }

  /** Hashing gives both sides the same length, so the comparison takes constant time. */
  #hash(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest();
  }
}
