import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '#shared/clock.ts';
import { Fault } from '../../errors.ts';
import { bearerOf } from './credentials.ts';
import { addressOf, WindowCounts, refusal } from '../limits/rate-limit.ts';

/** From one address: enough to mistype, far too few to guess. */
const TRIES_PER_MINUTE = 10;

/** Comes as `Authorization: Bearer <password>`: unlike Basic, no browser ever sends it by itself. */
export class AdminPassword {
  readonly #tries: WindowCounts;
  /** Both sides of a comparison have the length of its hashes, which takes the same time for every password. */
  readonly #key = randomBytes(32);
  readonly #password: Buffer;

  constructor(password: string, clock: Clock) {
    this.#password = this.#hash(password);
    this.#tries = new WindowCounts(clock);
  }

  /** Throws for whoever does not know it. */
  check(request: FastifyRequest): void {
    const given = bearerOf(request);
    if (given === null) throw new Fault('admin_password_required');

    // Counted before it is looked at: of many that come together, none gets past the limit.
    const address = addressOf(request);
    const { current, ttl } = this.#tries.add(address);
    if (current > TRIES_PER_MINUTE) throw refusal(ttl);
    if (!timingSafeEqual(this.#hash(given), this.#password)) {
      request.log.warn({ address }, 'admin password refused');
      throw new Fault('admin_password_invalid');
    }
    this.#tries.takeBack(address);
  }

  #hash(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest();
  }
}
