/* Administrators with names and passwords of their own. */
import type { Clock } from '#shared/clock.ts';
import { SerialQueue } from '#shared/serial-queue.ts';
import { Fault } from '../../errors.ts';
import type { AdminRecord, AdminRecords } from '../../records/admins/admins.ts';
import { hashPassword, isPassword, type PasswordCost } from './password-hash.ts';
import { SignInTokens } from './sign-in-tokens.ts';

const SIGNED_IN_MS = 8 * 3_600_000;
/** Passwords that may wait for their check. Each takes a tenth of a second of one thread. */
const MAX_WAITING = 20;

export type SignIn = { admin: AdminRecord; token: string; expiresAt: number };

type AdminsParts = {
  records: AdminRecords;
  /** The installation's signing secret. */
  secret: Buffer;
  clock: Pick<Clock, 'now'>;
  /** Cost of hashing new passwords. Default: that of production. */
  passwordCost?: PasswordCost | undefined;
};

export class Admins {
  readonly #records: AdminRecords;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #cost: PasswordCost | undefined;
  readonly #tokens: SignInTokens;
  /** One hash at a time, so that guesses cannot take every thread. */
  readonly #hashing = new SerialQueue();
  #waiting = 0;
  /** Checked for an unknown name, so that it takes as long as a known one. */
  #nobody: string | null = null;

  constructor({ records, secret, clock, passwordCost }: AdminsParts) {
    this.#records = records;
    this.#clock = clock;
    this.#cost = passwordCost;
    this.#tokens = new SignInTokens(secret);
  }

  /** Takes a tenth of a second, so hash before a transaction. */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => hashPassword(password, this.#cost));
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
    if (isSuspect && this.#waiting > 0) throw tooMany();
    const admin = await this.#records.findByName(name);
    const stored = admin?.passwordHash ?? (await this.#hashOfNobody());
    const isRight = await this.#inTurn(() => isPassword(password, stored));
    return admin && isRight ? admin : null;
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

  async #hashOfNobody(): Promise<string> {
    return (this.#nobody ??= await this.hash(''));
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#waiting >= MAX_WAITING) throw tooMany();
    this.#waiting += 1;
    try {
      return await this.#hashing.run(work);
    } finally {
      this.#waiting -= 1;
    }
  }
}

const nameTaken = (): Fault =>
  new Fault('conflict', { detail: 'Another administrator has this name.' });

const tooMany = (): Fault => new Fault('rate_limit', { retryAfterSeconds: 2 });
