/* Administrators sign in to the admin API for a token; browsers get cookies (`sign-ins.ts`). */
import type { Clock } from '#shared/clock.ts';
import type { PersonRecord, PersonRecords } from '../../records/people/people.ts';
import { AdminTokens } from './admin-tokens.ts';

const SIGNED_IN_MS = 8 * 3_600_000;

export type AdminSignIn = { admin: PersonRecord; token: string; expiresAt: number };

type AdminSignInsParts = {
  people: Pick<PersonRecords, 'find'>;
  /** The installation's signing secret. */
  signingSecret: Buffer;
  clock: Pick<Clock, 'now'>;
};

export class AdminSignIns {
  readonly #parts: AdminSignInsParts;
  readonly #tokens: AdminTokens;

  constructor(parts: AdminSignInsParts) {
    this.#parts = parts;
    this.#tokens = new AdminTokens(parts.signingSecret);
  }

  /** `people`: of a transaction. */
  async begin(admin: PersonRecord, people: PersonRecords): Promise<AdminSignIn> {
    const now = this.#parts.clock.now();
    await people.change(admin.id, { lastSignInAt: now });
    const expiresAt = now + SIGNED_IN_MS;
    return { admin, token: this.#tokens.issue(admin, expiresAt), expiresAt };
  }

  /** `not_a_token`: text of another form. Null for a token that is no longer valid. */
  async check(text: string): Promise<PersonRecord | 'not_a_token' | null> {
    const { people, clock } = this.#parts;
    const claims = this.#tokens.read(text);
    if (!claims) return 'not_a_token';
    const person = await people.find(claims.adminId);
    return person?.isAdmin && this.#tokens.isValid(claims, person, clock.now()) ? person : null;
  }
}
