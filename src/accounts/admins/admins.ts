/* Administrators with names and passwords of their own. */
import type { Clock } from '#shared/clock.ts';
import { Fault } from '../../errors.ts';
import type { AdminRecord, AdminRecords } from '../../records/admins/admins.ts';
import type { Passwords } from '../people/passwords.ts';
import { SignInTokens } from './sign-in-tokens.ts';

const SIGNED_IN_MS = 8 * 3_600_000;

export type SignIn = { admin: AdminRecord; token: string; expiresAt: number };

type AdminsParts = {
  records: AdminRecords;
  /** The installation's signing secret. */
  secret: Buffer;
  clock: Pick<Clock, 'now'>;
  passwords: Passwords;
};

export class Admins {
  readonly #records: AdminRecords;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #passwords: Passwords;
  readonly #tokens: SignInTokens;

  constructor({ records, secret, clock, passwords }: AdminsParts) {
    this.#records = records;
    this.#clock = clock;
    this.#passwords = passwords;
    this.#tokens = new SignInTokens(secret);
  }

  /** Takes a tenth of a second, so hash before a transaction. */
  hash(password: string): Promise<string> {
    return this.#passwords.hash(password);
  }

  /** Throws `conflict` if the name is taken. `records`: of a transaction. */
  async make(name: string, passwordHash: string, records: AdminRecords): Promise<AdminRecord> {
    const admin = await records.add({ name, passwordHash, createdAt: this.#clock.now() });
    if (!admin) throw nameTaken();
    return admin;
  }

  /** A new password ends all sign-ins. Null if there is no such administrator. */
  async change(
    id: string,
    change: { name?: string; passwordHash?: string },
    records: AdminRecords,
  ): Promise<AdminRecord | null> {
    const changed = await records.change(id, change);
    if (changed === 'taken') throw nameTaken();
    return changed;
  }

  /**
   * Null for an unknown name or a wrong password. `isSuspect`: many wrong ones came from the same
   * address; the password is then checked only if no other check waits.
   */
  async authenticate(
    name: string,
    password: string,
    isSuspect: boolean,
  ): Promise<AdminRecord | null> {
    const admin = await this.#records.findByName(name);
    const stored = admin?.passwordHash ?? null;
    return (await this.#passwords.check(password, stored, isSuspect)) ? admin : null;
  }

  async signIn(admin: AdminRecord, records: AdminRecords): Promise<SignIn> {
    const now = this.#clock.now();
    await records.change(admin.id, { lastSignInAt: now });
    const expiresAt = now + SIGNED_IN_MS;
    return { admin, token: this.#tokens.issue(admin, expiresAt), expiresAt };
  }

  /** `not_a_token`: text of another form. Null for a token that is no longer valid. */
  async check(text: string): Promise<AdminRecord | 'not_a_token' | null> {
    const claims = this.#tokens.read(text);
    if (!claims) return 'not_a_token';
    const admin = await this.#records.find(claims.adminId);
    return admin && this.#tokens.isValid(claims, admin, this.#clock.now()) ? admin : null;
  }
}

const nameTaken = (): Fault => new Fault('conflict', { detail: 'Someone else has this name.' });
