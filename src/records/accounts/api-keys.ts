import { newRecordId } from '#shared/ids.ts';
import { accountRows, type AccountRecord } from './accounts.ts';
import type { ApiKeysTable } from '../engine/tables/account-tables.ts';
import type { Database } from '../engine/database.ts';
import { prepare, type Value } from '../engine/prepared.ts';

export type KeyScope = 'all' | 'operator';

export type ApiKeyRecord = {
  id: string;
  accountId: string;
  name: string;
  /** `all`: everything that the account may do; `operator`: fleet and metrics only. */
  scope: KeyScope;
  createdAt: number;
  lastUsedAt: number | null;
  lastUsedAddress: string | null;
  revokedAt: number | null;
} & KeyLimits;

/** Null: no limit. */
export type KeyLimits = {
  expiresAt: number | null;
  /** Names in `accounts/key-scopes.ts`. */
  scopes: string[] | null;
  /** CIDR blocks. */
  allowedNetworks: string[] | null;
};

const UNLIMITED: KeyLimits = { expiresAt: null, scopes: null, allowedNetworks: null };

type KeyChange = Partial<Pick<ApiKeyRecord, 'name'> & KeyLimits>;

type NewApiKey = Pick<ApiKeyRecord, 'accountId' | 'name' | 'scope' | 'createdAt'> &
  Partial<KeyLimits> & {
    /** SHA-256 in hex. */
    hash: string;
  };

type LiveKey = { key: ApiKeyRecord; hash: string; account: AccountRecord };

export interface ApiKeyRecords {
  /** Ignores revoked keys. */
  findByHash(hash: string): Promise<LiveKey | null>;
  /** The same by id. */
  findLive(id: string): Promise<LiveKey | null>;
  count(accountId: string): Promise<number>;
  add(key: NewApiKey): Promise<ApiKeyRecord>;
  /**
   * Replaces the account's keys of this name. An existing key with this hash is unchanged, revoked
   * or not.
   */
  replace(key: NewApiKey): Promise<void>;
  /** Sets the last use, unless it is later than `unlessSince`. */
  used(id: string, at: { now: number; unlessSince: number; address: string }): Promise<void>;
  find(accountId: string, id: string): Promise<ApiKeyRecord | null>;
  /** Null if the account has no such key. */
  change(accountId: string, id: string, change: KeyChange): Promise<ApiKeyRecord | null>;
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
  'api_keys.last_used_address as lastUsedAddress',
  'api_keys.revoked_at as revokedAt',
  'api_keys.expires_at as expiresAt',
  'api_keys.scopes',
  'api_keys.allowed_networks as allowedNetworks',
] as const;

/** Lists are stored as JSON. */
type KeyRow = Omit<ApiKeyRecord, 'scopes' | 'allowedNetworks'> & {
  scopes: string | null;
  allowedNetworks: string | null;
};

export const toKey = <Row extends KeyRow>({ scopes, allowedNetworks, ...row }: Row) => ({
  ...row,
  scopes: readList(scopes),
  allowedNetworks: readList(allowedNetworks),
});

const readList = (list: string | null) => (list === null ? null : (JSON.parse(list) as string[]));
const writeList = (list: string[] | null) => list && JSON.stringify(list);

export function apiKeyRecords(db: Database): ApiKeyRecords {
  const selectLive = () =>
    db
      .selectFrom('api_keys')
      .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
      .select([
        ...keyColumns,
        'api_keys.hash',
        'accounts.name as accountName',
        'accounts.plan',
        'accounts.picture_consent',
        'accounts.pool',
        'accounts.retention',
        'accounts.call_stills',
        'accounts.created_at',
      ])
      .where('api_keys.revoked_at', 'is', null);
  const selectByHash = prepare((value: Value<{ hash: string }>) =>
    selectLive().where('api_keys.hash', '=', value('hash')),
  );
  type LiveRow = Awaited<ReturnType<typeof selectByHash>>['rows'][number];
  const toLiveKey = ({ hash, accountName: name, created_at, plan, ...fields }: LiveRow) => {
    const { picture_consent, pool, retention, call_stills, ...key } = fields;
    const settings = { plan, picture_consent, pool, retention, call_stills };
    const account = accountRows.toRecord({ id: key.accountId, name, created_at, ...settings });
    return { key: toKey(key), hash, account };
  };
  return {
    async findByHash(hash) {
      const [row] = (await selectByHash(db, { hash })).rows;
      return row ? toLiveKey(row) : null;
    },

    async findLive(id) {
      const row = await selectLive().where('api_keys.id', '=', id).executeTakeFirst();
      return row ? toLiveKey(row) : null;
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
      const unused = { lastUsedAt: null, lastUsedAddress: null, revokedAt: null };
      return { id, ...UNLIMITED, ...key, ...unused };
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

    async used(id, { now, unlessSince, address }) {
      await db
        .updateTable('api_keys')
        .set({ last_used_at: now, last_used_address: address })
        .where('id', '=', id)
        .where((key) =>
          key.or([key('last_used_at', 'is', null), key('last_used_at', '<=', unlessSince)]),
        )
        .execute();
    },

    async find(accountId, id) {
      const row = await db
        .selectFrom('api_keys')
        .select(keyColumns)
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirst();
      return row ? toKey(row) : null;
    },

    async change(accountId, id, change) {
      const columns = {
        ...(change.name !== undefined && { name: change.name }),
        ...limitColumns(change),
      };
      // An update without columns is not valid SQL.
      if (Object.keys(columns).length > 0) {
        await db
          .updateTable('api_keys')
          .set(columns)
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .execute();
      }
      return this.find(accountId, id);
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
    ...limitColumns(key),
  }) satisfies Partial<Record<keyof ApiKeysTable, unknown>>;

const limitColumns = ({ expiresAt, scopes, allowedNetworks }: Partial<KeyLimits>) => ({
  ...(expiresAt !== undefined && { expires_at: expiresAt }),
  ...(scopes !== undefined && { scopes: writeList(scopes) }),
  ...(allowedNetworks !== undefined && { allowed_networks: writeList(allowedNetworks) }),
});
