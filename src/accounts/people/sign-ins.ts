/*
 * Browsers that are signed in. A cookie holds a random token, of which the records keep the hash.
 * It ends when it is unused for `IDLE_MS`, after `LIFETIME_MS`, with a new password, and on
 * request. It is replaced every `ROTATE_MS`; the one before stays valid for `OVERLAP_MS`, for
 * requests that were on their way.
 */
import { hash as digest } from 'node:crypto';
import { inTime, type Clock } from '#shared/clock.ts';
import { newSecret } from '#shared/ids.ts';
import { Fault } from '../../errors.ts';
import type { AuditedRecords } from '../../records/audited-records.ts';
import type { AccountRecords } from '../../records/accounts/accounts.ts';
import type { PersonRecord, PersonRecords } from '../../records/people/people.ts';
import type { SignInRecord, SignInRecords } from '../../records/people/sign-ins.ts';
import { toAccount, type Account } from '../account.ts';

export const IDLE_MS = 12 * 3_600_000;
export const LIFETIME_MS = 7 * 86_400_000;
export const ROTATE_MS = 3_600_000;
const OVERLAP_MS = 60_000;
const SEEN_EVERY_MS = 60_000;
/** As for keys. */
const FIND_WITHIN_MS = 4_000;

export type SignedIn = {
  person: PersonRecord;
  /** Null: an operator without an account. */
  account: Account | null;
  signIn: SignInRecord;
};

/** Where a browser signs in from. */
export type Browser = { address: string; userAgent: string };

type SignInsParts = {
  signIns: SignInRecords;
  people: Pick<PersonRecords, 'find'>;
  accounts: Pick<AccountRecords, 'find'>;
  clock: Clock;
};

export class SignIns {
  readonly #parts: SignInsParts;

  constructor(parts: SignInsParts) {
    this.#parts = parts;
  }

  /** Returns the token of the cookie. The records are those of a transaction. */
  async begin(
    person: PersonRecord,
    { address, userAgent }: Browser,
    { people, signIns, accounts }: Pick<AuditedRecords, 'accounts' | 'people' | 'signIns'>,
  ): Promise<{ token: string; signedIn: SignedIn }> {
    const now = this.#parts.clock.now();
    await people.change(person.id, { lastSignInAt: now });
    await signIns.removeOlder({ createdAt: now - LIFETIME_MS, lastSeenAt: now - IDLE_MS });
    const token = newSecret();
    const signIn = await signIns.add({
      personId: person.id,
      hash: hashOf(token),
      passwordTag: passwordTag(person),
      address,
      userAgent: userAgent.slice(0, 300),
      createdAt: now,
    });
    return { token, signedIn: { person, account: await accountOf(person, accounts), signIn } };
  }

  /** Null for an unknown, ended or expired one. */
  async find(token: string): Promise<(SignedIn & { newToken: string | null }) | null> {
    const { signIns, clock } = this.#parts;
    const hash = hashOf(token);
    const record = await inTime(clock, FIND_WITHIN_MS, signIns.findByHash(hash), recordsAway);
    if (!record) return null;
    const { isCurrent, ...signIn } = record;
    const now = clock.now();
    if (!isCurrent && now >= signIn.rotatedAt + OVERLAP_MS) return null;
    const signedIn = await this.#check(signIn);
    if (!signedIn) return null;

    const isDue = isCurrent && now >= signIn.rotatedAt + ROTATE_MS;
    const newToken = isDue ? await this.#rotate(signIn, hash) : null;
    if (!isDue && now >= signIn.lastSeenAt + SEEN_EVERY_MS) await signIns.seen(signIn.id, now);
    return { ...signedIn, newToken };
  }

  /** Like `find`, without any effect on the sign-in. */
  async peek(token: string): Promise<SignedIn | null> {
    const { signIns, clock } = this.#parts;
    const finding = signIns.findByHash(hashOf(token));
    const record = await inTime(clock, FIND_WITHIN_MS, finding, recordsAway);
    return record && this.#check(record);
  }

  /** As it is now; null if it has ended. Works across rotations, for answers that take long. */
  async refresh({ id }: Pick<SignInRecord, 'id'>): Promise<SignedIn | null> {
    const signIn = await this.#parts.signIns.find(id);
    return signIn && this.#check(signIn);
  }

  async #check(signIn: SignInRecord): Promise<SignedIn | null> {
    const { people, accounts, clock } = this.#parts;
    if (clock.now() >= endOf(signIn)) return null;
    const person = await people.find(signIn.personId);
    if (!person || passwordTag(person) !== signIn.passwordTag) return null;
    return { person, account: await accountOf(person, accounts), signIn };
  }

  async #rotate(signIn: SignInRecord, from: string): Promise<string | null> {
    const { signIns, clock } = this.#parts;
    const token = newSecret();
    const isFirst = await signIns.rotate(signIn.id, from, hashOf(token), clock.now());
    // Another request of the same browser was first, and brings the new token.
    return isFirst ? token : null;
  }
}

async function accountOf(
  { accountId }: PersonRecord,
  accounts: Pick<AccountRecords, 'find'>,
): Promise<Account | null> {
  const account = accountId === null ? null : await accounts.find(accountId);
  return account && toAccount(account);
}

/** When it ends if it is not used again. */
export const endOf = ({ createdAt, lastSeenAt }: SignInRecord): number =>
  Math.min(createdAt + LIFETIME_MS, lastSeenAt + IDLE_MS);

/** Differs for each password, and says nothing about it. */
export const passwordTag = ({ passwordHash }: Pick<PersonRecord, 'passwordHash'>): string =>
  digest('sha256', passwordHash ?? '').slice(0, 32);

/** 40 letters and digits hold 238 bits, so a plain hash resists brute force. */
const hashOf = (token: string): string => digest('sha256', token);

const recordsAway = (): Fault => new Fault('records_away', { retryAfterSeconds: 2 });
