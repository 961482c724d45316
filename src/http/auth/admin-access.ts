/*
 * Access to the admin API: by the shared password or the sign-in of a named administrator, sent as
 * `Authorization: Bearer`, or by the cookie of an operator at the console.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdminSignIns } from '../../accounts/people/admin-sign-ins.ts';
import type { People } from '../../accounts/people/people.ts';
import { Fault } from '../../errors.ts';
import type { Clock } from '#shared/clock.ts';
import type { Actor } from '../../records/audit/audit-log.ts';
import type { PersonRecord } from '../../records/people/people.ts';
import { PasswordTries } from '../limits/password-tries.ts';
import { addressOf, refusal, type RateLimits } from '../limits/rate-limit.ts';
import { actorOf, type ConsoleAccess } from '../console/console-access.ts';
import type { AdminPassword } from './admin-password.ts';
import { bearerOf } from './credentials.ts';

type AdminAccessParts = {
  /** Null: only operators at the console are administrators. */
  password: AdminPassword | null;
  console: Pick<ConsoleAccess, 'find'>;
  adminSignIns: Pick<AdminSignIns, 'check'>;
  people: Pick<People, 'authenticateAdmin'>;
  limits: RateLimits;
  clock: Clock;
};

export class AdminAccess {
  readonly #parts: AdminAccessParts;
  readonly #tries: PasswordTries;

  constructor(parts: AdminAccessParts) {
    this.#parts = parts;
    this.#tries = new PasswordTries(parts.clock);
  }

  /** Throws unless the request comes from an administrator. */
  async check(request: FastifyRequest, reply: FastifyReply): Promise<Actor> {
    const { password, adminSignIns, limits } = this.#parts;
    const bearer = bearerOf(request);
    const signedIn = bearer === null ? await this.#parts.console.find(request, reply) : null;
    if (signedIn) {
      if (signedIn.person.operatorSince === null) throw new Fault('forbidden');
      return actorOf(signedIn.person);
    }
    // Without a password there is no admin API for anyone else.
    if (!password) throw new Fault('not_found');
    const text = bearer ?? '';
    // The password is compared first, because it may look like a sign-in.
    const admin = password.is(text) ? 'not_a_token' : await adminSignIns.check(text);
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
  ): Promise<PersonRecord> {
    const { isSuspect, waitMs } = this.#tries.begin(request);
    const admin = await this.#parts.people.authenticateAdmin({ name, password, isSuspect });
    if (admin) {
      this.#tries.succeeded(request);
      return admin;
    }
    request.log.warn({ address: addressOf(request) }, 'admin sign-in refused');
    if (isSuspect) throw refusal(waitMs);
    throw new Fault('admin_password_invalid', { detail: 'The name or the password is wrong.' });
  }
}
