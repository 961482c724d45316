import { newRecordId } from '#shared/ids.ts';
import type { AccountRecord } from './accounts.ts';
import type { ApiKeysTable, Database } from './engine/database.ts';
import { prepare, type Value } from './engine/prepared.ts';

export type KeyScope = 'all' | 'operator';

export type ApiKeyRecord = {
  id: string;
  accountId: string;
  name: string;
  /** `all`: everything that the account may do; `operator`: fleet and metrics only. */
  scope: KeyScope;
  createdAt: number;
  lastUsedAt: number | null;
  revokedAt: number | null;
};

type NewApiKey = Pick<ApiKeyRecord, 'accountId' | 'name' | 'scope' | 'createdAt'> & {
  /** SHA-256 in hex. */
  hash: string;
};

export interface ApiKeyRecords {
  /** Ignores revoked keys. */
  findByHash(
    hash: string,
  ): Promise<{ key: ApiKeyRecord; hash: string; account: AccountRecord } | null>;
  count(accountId: string): Promise<number>;
  add(key: NewApiKey): Promise<ApiKeyRecord>;
  /**
   * Replaces the account's keys of this name. An existing key with this hash is unchanged, revoked
   * or not.
   */
  replace(key: NewApiKey): Promise<void>;
  /** Sets the last use to `now`, unless it is later than `unlessSince`. */
  used(id: string, at: { now: number; unlessSince: number }): Promise<void>;
  /** Idempotent. False if the account has no such key. */
  revoke(accountId: string, id: string, now: number): Promise<boolean>;
}

export const keyColumns = [
  'api_keys.id',
  'api_keys.account_id as accountId',
  'api_keys.name',
  'api_keys.scope',
  'api_keys.created_at as createdAt',
  'api_keys.last_used_at as lastUsedAt',
  'api_keys.revoked_at as revokedAt',
] as const;

export function apiKeyRecords(db: Database): ApiKeyRecords {
  const selectByHash = prepare((value: Value<{ hash: string }>) =>
    db
      .selectFrom('api_keys')
      .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
      .select([
        ...keyColumns,
        'api_keys.hash',
        'accounts.name as accountName',
        'accounts.plan',
        'accounts.picture_consent as pictureConsent',
        'accounts.pool',
        'accounts.created_at as accountCreatedAt',
      ])
      .where('api_keys.hash', '=', value('hash'))
      .where('api_keys.revoked_at', 'is', null),
  );
  return {
    async findByHash(hash) {
      const [row] = (await selectByHash(db, { hash })).rows;
      if (!row) return null;
      const { hash: stored, accountName: name, accountCreatedAt: createdAt, ...more } = row;
      const { plan, pictureConsent, pool, ...key } = more;
      const account = { id: key.accountId, name, plan, pictureConsent, pool, createdAt };
      return { key, hash: stored, account };
    },

    async count(accountId) {
      const { count } = await db
        .selectFrom('api_keys')
        .select((select) => select.fn.countAll().as('count'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    async add({ hash, ...key }) {
      const id = newRecordId();
      await db
        .insertInto('api_keys')
        .values(toRow(id, hash, key))
        .execute();
      return { id, ...key, lastUsedAt: null, revokedAt: null };
    },

    async replace({ hash, ...key }) {
      await db.transaction().execute(async (trx) => {
        await trx
          .deleteFrom('api_keys')
          .where('account_id', '=', key.accountId)
          .where('name', '=', key.name)
          .where('hash', '<>', hash)
          .execute();
        await trx
          .insertInto('api_keys')
          .values(toRow(newRecordId(), hash, key))
          .onConflict((conflict) => conflict.column('hash').doNothing())
          .execute();
      });
    },

    async used(id, { now, unlessSince }) {
      await db
        .updateTable('api_keys')
        .set({ last_used_at: now })
        .where('id', '=', id)
        .where((key) =>
          key.or([key('last_used_at', 'is', null), key('last_used_at', '<=', unlessSince)]),
        )
        .execute();
    },

    async revoke(accountId, id, now) {
      const { numUpdatedRows } = await db
        .updateTable('api_keys')
        .set((key) => ({ revoked_at: key.fn.coalesce('revoked_at', key.val(now)) }))
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
  };
}

const toRow = (id: string, hash: string, key: Omit<NewApiKey, 'hash'>) =>
  ({
    id,
    account_id: key.accountId,
    name: key.name,
    hash,
    scope: key.scope,
    created_at: key.createdAt,
  }) satisfies Partial<Record<keyof ApiKeysTable, unknown>>;
