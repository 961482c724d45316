import { newRecordId } from '#shared/ids.ts';
import type { Database } from '../engine/database.ts';
import { accountColumns } from '../engine/tables/account-columns.ts';
import type { RecordOf } from '../engine/tables/columns.ts';
import { recordRows } from '../engine/tables/record-rows.ts';

export type AccountRecord = RecordOf<typeof accountColumns>;

type AccountChange = Partial<Omit<AccountRecord, 'id' | 'createdAt'>>;

export const accountRows = recordRows(accountColumns);

/** Fixed, so that two processes starting together create one account. */
const FIRST_ID = '00000000-0000-4000-8000-000000000001';

export interface AccountRecords {
  /** The oldest account, which belongs to the operator. Created on first use. */
  first(now: number): Promise<AccountRecord>;
  /** Creates it. False if there is one. */
  makeFirst(now: number): Promise<boolean>;
  add(account: Pick<AccountRecord, 'name' | 'plan' | 'createdAt'>): Promise<AccountRecord>;
  find(id: string): Promise<AccountRecord | null>;
  /** Returns the changed account; null if there is none. */
  change(id: string, change: AccountChange): Promise<AccountRecord | null>;
}

export function accountRecords(db: Database): AccountRecords {
  const { toRow, toColumns, toRecord } = accountRows;
  const select = () => db.selectFrom('accounts').selectAll();

  const oldest = () => select().orderBy('created_at').orderBy('id');
  /** False if another control plane was first. */
  const insertFirst = async (now: number): Promise<boolean> => {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('accounts')
      .values({ id: FIRST_ID, name: 'first', plan: 'unlimited', created_at: now })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  };

  return {
    async first(now) {
      const row = await oldest().executeTakeFirst();
      if (row) return toRecord(row);

      await insertFirst(now);
      return toRecord(await oldest().executeTakeFirstOrThrow());
    },

    async makeFirst(now) {
      const row = await oldest().executeTakeFirst();
      return row ? false : insertFirst(now);
    },

    async add(newAccount) {
      const settings = { pictureConsent: null, pool: null, retention: null, callStills: false };
      const account = { id: newRecordId(), ...newAccount, ...settings };
      await db.insertInto('accounts').values(toRow(account)).execute();
      return account;
    },

    async find(id) {
      const row = await select().where('id', '=', id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },

    async change(id, change) {
      const columns = toColumns(id, change);
      // An update without columns is not valid SQL.
      if (Object.keys(columns).length > 0) {
        await db.updateTable('accounts').set(columns).where('id', '=', id).execute();
      }
      return this.find(id);
    },
  };
}
