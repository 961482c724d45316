/*
 * Access to the admin API: by the shared password or the sign-in of a named administrator, sent as
 * `Authorization: Bearer`, or by the cookie of an operator at the console.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '../../errors.ts';
import type { Actor } from '../../records/audit/audit-log.ts';
import type { PersonRecord } from '../../records/people/people.ts';
import { addressOf } from '../limits/rate-limit.ts';
import { actorOf } from '../console/console-access.ts';
import { bearerOf } from './credentials.ts';
import type { Services } from '../services.ts';

export class AdminAccess {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Throws unless the request comes from an administrator. */
  async check(request: FastifyRequest, reply: FastifyReply): Promise<Actor> {
    const { adminPassword, consoleAccess, adminSignIns, limits } = this.#services;
    const bearer = bearerOf(request);
    const signedIn = bearer === null ? await consoleAccess.find(request, reply) : null;
    if (signedIn) {
      if (signedIn.person.operatorSince === null) throw new Fault('forbidden');
      return actorOf(signedIn.person);
    }
    // Without a password there is no admin API for anyone else.
    if (!adminPassword) throw new Fault('not_found');
    const text = bearer ?? '';
    // The password is compared first, because it may look like a sign-in.
    const admin = adminPassword.is(text) ? 'not_a_token' : await adminSignIns.check(text);
    if (admin === 'not_a_token') {
      await adminPassword.check(request);
      return { type: 'admin', id: null, name: null };
    }
    if (admin) return { type: 'admin', id: admin.id, name: admin.name };
    limits.countStranger(request);
    const detail = 'This sign-in is no longer valid. Sign in again.';
    throw new Fault('admin_password_invalid', { detail });
  }

  /** Throws unless it is the password of the administrator. */
  async authenticate(
    request: FastifyRequest,
    name: string,
    password: string,
  ): Promise<PersonRecord> {
    const { people, guesses, records } = this.#services;
    const administrator = await records.people.findAdmin(name);
    const admins = administrator ? [administrator] : [];
    const [admin] = await guesses.judgeNamed(request, {
      name,
      people: admins,
      check: () => people.withPassword(admins, password),
    });
    if (admin) return admin;
    request.log.warn({ address: addressOf(request) }, 'admin sign-in refused');
    throw new Fault('admin_password_invalid', { detail: 'The name or the password is wrong.' });
  }
}
