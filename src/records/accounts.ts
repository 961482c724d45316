import { newRecordId } from '#shared/ids.ts';
import type { Database } from './database.ts';

/** `plan` is a name in `accounts/plan.ts`. */
export type AccountRecord = { id: string; name: string; plan: string };
export type NewApiKey = { accountId: string; name: string; hash: string; createdAt: number };

export interface AccountRecords {
  /** The account that every key belongs to until there are more; made when it is asked for the first time. */
  first(now: number): Promise<AccountRecord>;
  findByKeyHash(hash: string): Promise<{ account: AccountRecord; hash: string } | null>;
  countKeys(accountId: string): Promise<number>;
  addKey(key: NewApiKey): Promise<void>;
  /** Puts this key in the place of an earlier one with the same name. */
  replaceKey(key: NewApiKey): Promise<void>;
}

export function accountRecords(db: Database): AccountRecords {
  return {
    async first(now) {
      return db.transaction().execute(async (trx) => {
        const known = await trx
          .selectFrom('accounts')
          .select(['id', 'name', 'plan'])
          .orderBy('created_at')
          .executeTakeFirst();
        if (known) return { ...known };

        // Whoever runs the service pays for it.
        const account = { id: newRecordId(), name: 'first', plan: 'unlimited' };
        await trx
          .insertInto('accounts')
          .values({ ...account, created_at: now })
          .execute();
        return account;
      });
    },

    async findByKeyHash(hash) {
      const row = await db
        .selectFrom('api_keys')
        .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
        .select(['accounts.id', 'accounts.name', 'accounts.plan', 'api_keys.hash'])
        .where('api_keys.hash', '=', hash)
        .executeTakeFirst();
      if (!row) return null;
      const { hash: stored, ...account } = row;
      return { account, hash: stored };
    },

    async countKeys(accountId) {
      const { count } = await db
        .selectFrom('api_keys')
        .select((select) => select.fn.countAll().as('count'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    async addKey(key) {
      await db.insertInto('api_keys').values(toRow(key)).execute();
    },

    async replaceKey(key) {
      await db.transaction().execute(async (trx) => {
        await trx
          .deleteFrom('api_keys')
          .where((where) =>
            where.or([
              where.and([where('account_id', '=', key.accountId), where('name', '=', key.name)]),
              // The same key under another name would be in the way of the unique hash.
              where('hash', '=', key.hash),
            ]),
          )
          .execute();
        await trx.insertInto('api_keys').values(toRow(key)).execute();
      });
    },
  };
}

const toRow = (key: NewApiKey) => ({
  id: newRecordId(),
  account_id: key.accountId,
  name: key.name,
  hash: key.hash,
  created_at: key.createdAt,
});
