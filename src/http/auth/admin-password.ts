import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Fault } from '../../errors.ts';
import { bearerOf } from './credentials.ts';
import type { Guesses } from '../limits/guesses.ts';
import { addressOf } from '../limits/rate-limit.ts';

/**
 * Sent as `Authorization: Bearer <password>`. Unlike Basic, browsers never send it on their own.
 */
export class AdminPassword {
  readonly #guesses: Pick<Guesses, 'judge'>;
  /** Hashing gives both sides the same length, so the comparison takes constant time. */
  readonly #key = randomBytes(32);
  readonly #password: Buffer;

  constructor(password: string, guesses: Pick<Guesses, 'judge'>) {
    this.#password = this.#hash(password);
    this.#guesses = guesses;
  }

  is(text: string): boolean {
    return timingSafeEqual(this.#hash(text), this.#password);
  }

  /** Throws for a missing or wrong password, and for any while wrong ones must wait. */
  async check(request: FastifyRequest): Promise<void> {
    const password = bearerOf(request);
    if (password === null) throw new Fault('admin_password_required');
    const isRight = this.is(password);
    await this.#guesses.judge(request, 'admin password', isRight);
    if (isRight) return;
    request.log.warn({ address: addressOf(request) }, 'admin password refused');
    throw new Fault('admin_password_invalid');
  }

  #hash(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest();
  }
}
