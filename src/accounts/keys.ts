import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#shared/clock.ts';
import { newSecret } from '#shared/ids.ts';
import type { AccountRecords } from '../records/accounts.ts';
import { toAccount, type Account } from './account.ts';

export type { Account } from './account.ts';

/** The name of the key that TROUPE_API_KEY holds: when the variable changes, its old key stops working. */
const GIVEN_KEY_NAME = 'TROUPE_API_KEY';
const FIRST_KEY_NAME = 'first';

export interface ApiKeys {
  /** The account that a key belongs to; null for an unknown one. */
  check(key: string): Promise<Account | null>;
  /** Makes a key of the first account. Its text is only ever in this answer. */
  make(name: string): Promise<string>;
  /** Makes sure that somebody can get in: with the given key, else with one that is made when there is none yet. */
  first(given: string | undefined): Promise<{ account: Account; newKey: string | null }>;
}

export function apiKeys(records: AccountRecords, clock: Clock): ApiKeys {
  const store = async (account: Account, name: string, key: string) => {
    const row = { accountId: account.id, name, hash: hashOf(key), createdAt: clock.now() };
    await records.addKey(row);
  };

  return {
    async check(key) {
      const hash = hashOf(key);
      const found = await records.findByKeyHash(hash);
      if (!found || !isSame(found.hash, hash)) return null;
      return toAccount(found.account);
    },

    async make(name) {
      const key = newKey();
      await store(toAccount(await records.first(clock.now())), name, key);
      return key;
    },

    async first(given) {
      const account = toAccount(await records.first(clock.now()));
      if (given) {
        await records.replaceKey({
          accountId: account.id,
          name: GIVEN_KEY_NAME,
          hash: hashOf(given),
          createdAt: clock.now(),
        });
        return { account, newKey: null };
      }
      if ((await records.countKeys(account.id)) > 0) return { account, newKey: null };

      const key = newKey();
      await store(account, FIRST_KEY_NAME, key);
      return { account, newKey: key };
    },
  };
}

/** 40 letters and digits are 238 bits: a plain hash is enough, nobody can try them all. */
const newKey = (): string => `troupe_${newSecret(40)}`;

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

/** The lookup is by hash, of which a caller can steer no part; the comparison itself takes the same time for every key. */
const isSame = (stored: string, given: string): boolean =>
  timingSafeEqual(Buffer.from(stored, 'hex'), Buffer.from(given, 'hex'));
