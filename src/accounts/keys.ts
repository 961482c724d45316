import { hash as digest, timingSafeEqual } from 'node:crypto';
import { inTime, type Clock } from '#shared/clock.ts';
import { newSecret } from '#shared/ids.ts';
import { parseNetworks } from '#shared/network/networks.ts';
import { Fault } from '../errors.ts';
import type { AccountRecords } from '../records/accounts/accounts.ts';
import type {
  ApiKeyRecord,
  ApiKeyRecords,
  KeyLimits,
  KeyScope,
} from '../records/accounts/api-keys.ts';
import { toAccount, type Account } from './account.ts';
import { RecentKeys } from './recent-keys.ts';

/** Name of the key given by TROUPE_API_KEY. Changing the variable revokes the old key. */
const GIVEN_KEY_NAME = 'TROUPE_API_KEY';
const FIRST_KEY_NAME = 'first';

export type KnownKey = { account: Account; key: ApiKeyRecord };

export interface ApiKeys {
  /** Null for an unknown or revoked key. The answer may be up to a second old. */
  check(key: string): Promise<KnownKey | null>;
  /** The same by id, for a token that was made with the key. */
  checkId(keyId: string): Promise<KnownKey | null>;
  /** Why a known key may not be used now, or from this address; null if it may. */
  refusal(key: ApiKeyRecord, address: string): 'expired' | 'wrong_network' | null;
  /** Drops cached keys after a key or its account changed, here and at the other control planes. */
  changed(): void;
  /** The same, after a change at another control plane. */
  changedElsewhere(): void;
  /** Calls `listener` after each change. Returns a function that removes it. */
  onChanged(listener: () => void): () => void;
  /**
   * Creates a key, by default for the first account. Its text is returned only here. `within`: the
   * records of a transaction.
   */
  make(
    name: string,
    of?: { accountId: string; scope: KeyScope } & Partial<KeyLimits>,
    within?: Pick<ApiKeyRecords, 'add'>,
  ): Promise<MadeKey>;
  /**
   * Ensures that a key exists: installs the configured one, or creates one if there is none yet.
   */
  first(configuredKey: string | undefined): Promise<{ account: Account; newKey: string | null }>;
}

export type MadeKey = ApiKeyRecord & { text: string };

type ApiKeysParts = {
  accounts: AccountRecords;
  keys: ApiKeyRecords;
  clock: Clock;
  /** Announces a change to the other control planes. */
  publishChanged?: (() => void) | undefined;
};

export function apiKeys({ accounts, keys, clock, publishChanged }: ApiKeysParts): ApiKeys {
  const firstAccount = async () => toAccount(await accounts.first(clock.now()));

  const recent = new RecentKeys<KnownKey>(clock);
  const listeners = new Set<() => void>();
  const forget = () => {
    recent.forget();
    for (const listener of listeners) listener();
  };

  const inRecords = <Found>(finding: Promise<Found>) =>
    inTime(clock, FIND_WITHIN_MS, finding, recordsAway);
  const lookUp = async (hash: string): Promise<KnownKey | null> => {
    const stored = await inRecords(keys.findByHash(hash));
    if (!stored || !isSame(stored.hash, hash)) return null;
    return { account: toAccount(stored.account), key: stored.key };
  };

  const make: ApiKeys['make'] = async (name, of, within = keys) => {
    const text = newKey();
    const owner = of ?? { accountId: (await firstAccount()).id, scope: 'all' };
    const key = await within.add({ ...owner, name, hash: hashOf(text), createdAt: clock.now() });
    return { ...key, text };
  };

  return {
    make,

    check(text) {
      const hash = hashOf(text);
      return recent.find(hash, () => lookUp(hash));
    },

    async checkId(keyId) {
      const stored = await inRecords(keys.findLive(keyId));
      return stored && { account: toAccount(stored.account), key: stored.key };
    },

    changed() {
      forget();
      publishChanged?.();
    },

    changedElsewhere: forget,

    onChanged(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    refusal({ expiresAt, allowedNetworks }, address) {
      if (expiresAt !== null && expiresAt <= clock.now()) return 'expired';
      if (allowedNetworks === null) return null;
      return parseNetworks(allowedNetworks.join()).contains(address) ? null : 'wrong_network';
    },

    async first(configuredKey) {
      const account = await firstAccount();
      if (configuredKey) {
        await keys.replace({
          accountId: account.id,
          name: GIVEN_KEY_NAME,
          scope: 'all',
          hash: hashOf(configuredKey),
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

/** An unreachable database may never answer. Published clients time out after 10 s and retry. */
const FIND_WITHIN_MS = 4_000;

const recordsAway = (): Fault => new Fault('records_away', { retryAfterSeconds: 2 });

/** 40 letters and digits hold 238 bits, so a plain hash resists brute force. */
const newKey = (): string => `troupe_${newSecret(40)}`;

const hashOf = (key: string): string => digest('sha256', key);

/** Constant time. The lookup before it is by hash, which a caller cannot choose. */
const isSame = (stored: string, computed: string): boolean =>
  timingSafeEqual(Buffer.from(stored, 'hex'), Buffer.from(computed, 'hex'));
