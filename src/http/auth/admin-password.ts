import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '#shared/clock.ts';
import { Fault } from '../../errors.ts';
import { bearerOf } from './credentials.ts';
import { PasswordTries } from '../limits/password-tries.ts';
import { addressOf, refusal } from '../limits/rate-limit.ts';

/**
 * Sent as `Authorization: Bearer <password>`. Unlike Basic, browsers never send it on their own.
 */
export class AdminPassword {
  readonly #tries: PasswordTries;
  /** Hashing gives both sides the same length, so the comparison takes constant time. */
  readonly #key = randomBytes(32);
  readonly #password: Buffer;

  constructor(password: string, clock: Clock) {
    this.#password = this.#hash(password);
    this.#tries = new PasswordTries(clock);
  }

  is(text: string): boolean {
    return timingSafeEqual(this.#hash(text), this.#password);
  }

  /**
   * Throws for a missing or wrong password. The right one always passes, so that strangers at the
   * same address cannot lock the administrator out.
   */
  check(request: FastifyRequest): void {
    const password = bearerOf(request);
    if (password === null) throw new Fault('admin_password_required');
    if (this.is(password)) return;

    const { isSuspect, waitMs } = this.#tries.begin(request);
    if (isSuspect) throw refusal(waitMs);
    request.log.warn({ address: addressOf(request) }, 'admin password refused');
    throw new Fault('admin_password_invalid');
  }

  #hash(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest();
  }
}
