/*
 * Access to the admin API: by the shared password or the sign-in of a named administrator, sent as
 * `Authorization: Bearer`, or by the cookie of an operator at the console.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Admins } from '../../accounts/admins/admins.ts';
import { Fault } from '../../errors.ts';
import type { Clock } from '#shared/clock.ts';
import type { AdminRecord } from '../../records/admins/admins.ts';
import type { Actor } from '../../records/audit/audit-log.ts';
import { addressOf, refusal, WindowCounts, type RateLimits } from '../limits/rate-limit.ts';
import { actorOf, type ConsoleAccess } from '../console/console-access.ts';
import type { AdminPassword } from './admin-password.ts';
import { bearerOf } from './credentials.ts';

/** Limit of wrong passwords per address. */
const TRIES_PER_MINUTE = 10;

type AdminAccessParts = {
  /** Null: only operators at the console are administrators. */
  password: AdminPassword | null;
  console: Pick<ConsoleAccess, 'find'>;
  admins: Pick<Admins, 'check' | 'authenticate'>;
  limits: RateLimits;
  clock: Clock;
};

export class AdminAccess {
  readonly #parts: AdminAccessParts;
  readonly #tries: WindowCounts;

  constructor(parts: AdminAccessParts) {
    this.#parts = parts;
    this.#tries = new WindowCounts(parts.clock);
  }

  /** Throws unless the request comes from an administrator. */
  async check(request: FastifyRequest, reply: FastifyReply): Promise<Actor> {
    const { password, admins, limits } = this.#parts;
    const bearer = bearerOf(request);
    const signedIn = bearer === null ? await this.#parts.console.find(request, reply) : null;
    if (signedIn) {
      if (signedIn.person.operatorSince === null) throw new Fault('forbidden');
      return actorOf(signedIn.person);
    }
    // Without a password there is no admin API for anyone else.
    if (!password) throw new Fault('not_found');
    const given = bearer ?? '';
    // The password is compared first, because it may look like a sign-in.
    const admin = password.is(given) ? 'not_a_token' : await admins.check(given);
    if (admin === 'not_a_token') {
      password.check(request);
      return { type: 'admin', id: null, name: null };
    }
    if (admin) return { type: 'admin', id: admin.id, name: admin.name };
    limits.countStranger(request);
    const detail = 'This sign-in is no longer valid. Sign in again.';
    throw new Fault('admin_password_invalid', { detail });
  }

  /** The right password always passes, whatever was tried before it. */
  async authenticate(
    request: FastifyRequest,
    name: string,
    password: string,
  ): Promise<AdminRecord> {
    const address = addressOf(request);
    // Count before checking: concurrent tries must not get past the limit.
    const { current, ttl } = this.#tries.add(address);
    const isSuspect = current > TRIES_PER_MINUTE;
    const admin = await this.#parts.admins.authenticate(name, password, isSuspect);
    if (admin) {
      this.#tries.takeBack(address);
      return admin;
    }
    request.log.warn({ address }, 'admin sign-in refused');
    if (isSuspect) throw refusal(ttl);
    throw new Fault('admin_password_invalid', { detail: 'The name or the password is wrong.' });
  }
}
