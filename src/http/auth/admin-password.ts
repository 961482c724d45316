import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '#shared/clock.ts';
import { Fault } from '../../errors.ts';
import { bearerOf } from './credentials.ts';
import { addressOf, WindowCounts, refusal } from '../limits/rate-limit.ts';

/** Limit of wrong passwords per address. */
const TRIES_PER_MINUTE = 10;

/**
 * Sent as `Authorization: Bearer <password>`. Unlike Basic, browsers never send it on their own.
 */
export class AdminPassword {
  readonly #tries: WindowCounts;
  /** Hashing gives both sides the same length, so the comparison takes constant time. */
  readonly #key = randomBytes(32);
  readonly #password: Buffer;

  constructor(password: string, clock: Clock) {
    this.#password = this.#hash(password);
    this.#tries = new WindowCounts(clock);
  }

  is(text: string): boolean {
    return timingSafeEqual(this.#hash(text), this.#password);
  }

  /**
   * Throws for a missing or wrong password. The right one always passes, so that strangers at the
   * same address cannot lock the administrator out.
   */
  check(request: FastifyRequest): void {
    const given = bearerOf(request);
    if (given === null) throw new Fault('admin_password_required');
    if (this.is(given)) return;

    const address = addressOf(request);
    const { current, ttl } = this.#tries.add(address);
    if (current > TRIES_PER_MINUTE) throw refusal(ttl);
    request.log.warn({ address }, 'admin password refused');
    throw new Fault('admin_password_invalid');
  }

  #hash(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest();
  }
}
