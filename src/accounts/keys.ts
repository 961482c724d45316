import { hash as digest, timingSafeEqual } from 'node:crypto';
import { inTime, type Clock } from '#shared/clock.ts';
import { newSecret } from '#shared/ids.ts';
import { Fault } from '../errors.ts';
import type { AccountRecords } from '../records/accounts.ts';
import type { ApiKeyRecord, ApiKeyRecords, KeyScope } from '../records/api-keys.ts';
import { toAccount, type Account } from './account.ts';
import { RecentKeys } from './recent-keys.ts';

/** The name of the key that TROUPE_API_KEY holds: when the variable changes, its old key stops working. */
const GIVEN_KEY_NAME = 'TROUPE_API_KEY';
const FIRST_KEY_NAME = 'first';

export type KnownKey = { account: Account; key: ApiKeyRecord };

export interface ApiKeys {
  /** Whose key this is, and what it opens, as it was known within the last second; null for an unknown or revoked one. */
  check(key: string): Promise<KnownKey | null>;
  /** A key or its account was changed: that counts from now on. */
  changed(): void;
  /** Makes a key, of the first account when none is said. Its text is only ever in this answer. */
  make(name: string, of?: { accountId: string; scope: KeyScope }): Promise<MadeKey>;
  /** Makes sure that somebody can get in: with the given key, else with one that is made when there is none yet. */
  first(given: string | undefined): Promise<{ account: Account; newKey: string | null }>;
}

export type MadeKey = ApiKeyRecord & { text: string };

export type ApiKeysParts = { accounts: AccountRecords; keys: ApiKeyRecords; clock: Clock };

export function apiKeys({ accounts, keys, clock }: ApiKeysParts): ApiKeys {
  const firstAccount = async () => toAccount(await accounts.first(clock.now()));

  const recent = new RecentKeys<KnownKey>(clock);

  const lookUp = async (hash: string): Promise<KnownKey | null> => {
    const found = await inTime(clock, FIND_WITHIN_MS, keys.findByHash(hash), recordsAway);
    if (!found || !isSame(found.hash, hash)) return null;
    return { account: toAccount(found.account), key: found.key };
  };

  const make: ApiKeys['make'] = async (name, of) => {
    const text = newKey();
    const owner = of ?? { accountId: (await firstAccount()).id, scope: 'all' };
    const key = await keys.add({ ...owner, name, hash: hashOf(text), createdAt: clock.now() });
    return { ...key, text };
  };

  return {
    make,

    check(text) {
      const hash = hashOf(text);
      return recent.find(hash, () => lookUp(hash));
    },

    changed: () => recent.forget(),

    async first(given) {
      const account = await firstAccount();
      if (given) {
        await keys.replace({
          accountId: account.id,
          name: GIVEN_KEY_NAME,
          scope: 'all',
          hash: hashOf(given),
          createdAt: clock.now(),
        });
        return { account, newKey: null };
      }
      if ((await keys.count(account.id)) > 0) return { account, newKey: null };

      const { text } = await make(FIRST_KEY_NAME);
      return { account, newKey: text };
    },
  };
}

/** A database that is cut off answers nothing, not even that it is away: published clients wait for 10 s, and then ask again. */
const FIND_WITHIN_MS = 4_000;

const recordsAway = (): Fault => new Fault('records_away', { retryAfterSeconds: 2 });

/** 40 letters and digits are 238 bits: a plain hash is enough, nobody can try them all. */
const newKey = (): string => `troupe_${newSecret(40)}`;

const hashOf = (key: string): string => digest('sha256', key);

/** The lookup is by hash, of which a caller can steer no part; the comparison itself takes the same time for every key. */
const isSame = (stored: string, given: string): boolean =>
  timingSafeEqual(Buffer.from(stored, 'hex'), Buffer.from(given, 'hex'));
