import { newRecordId } from '#shared/ids.ts';
import type { Database } from '../engine/database.ts';
import type { RetentionKind } from '../erasure/retention.ts';

/** `plan` is a name in `accounts/plan.ts`. */
export type AccountRecord = {
  id: string;
  name: string;
  plan: string;
  /** The owner's consent to turn pictures sent with sessions into avatars; null: not given. */
  pictureConsent: string | null;
  /** Worker pool of its sessions; null: the default pool. */
  pool: string | null;
  /** Days by kind; null: as the installation. */
  retention: RetentionDays | null;
  /** Whether pictures of its live calls may be looked at. */
  callStills: boolean;
  createdAt: number;
};
type AccountChange = Partial<
  Pick<AccountRecord, 'name' | 'plan' | 'pictureConsent' | 'pool' | 'retention' | 'callStills'>
>;

/** A kind without days follows the installation. */
export type RetentionDays = Partial<Record<RetentionKind, number>>;

export const accountColumns = [
  'id',
  'name',
  'plan',
  'picture_consent as pictureConsent',
  'pool',
  'retention',
  'call_stills as callStills',
  'created_at as createdAt',
] as const;

/** Retention is stored as JSON. */
type AccountRow = Omit<AccountRecord, 'retention' | 'callStills'> & {
  retention: string | null;
  callStills: number;
};

export const toAccountRecord = <Row extends AccountRow>({
  retention,
  callStills,
  ...row
}: Row) => ({
  ...row,
  callStills: callStills === 1,
  retention: retention === null ? null : (JSON.parse(retention) as RetentionDays),
});

/** Fixed, so that two processes starting together create one account. */
const FIRST_ID = '00000000-0000-4000-8000-000000000001';

export interface AccountRecords {
  /** The oldest account, which belongs to the operator. Created on first use. */
  first(now: number): Promise<AccountRecord>;
  add(account: Pick<AccountRecord, 'name' | 'plan' | 'createdAt'>): Promise<AccountRecord>;
  find(id: string): Promise<AccountRecord | null>;
  /** Returns the changed account; null if there is none. */
  change(id: string, change: AccountChange): Promise<AccountRecord | null>;
}

export function accountRecords(db: Database): AccountRecords {
  const select = () => db.selectFrom('accounts').select(accountColumns);

  return {
    async first(now) {
      const oldest = select().orderBy('created_at').orderBy('id');
      const row = await oldest.executeTakeFirst();
      if (row) return toAccountRecord(row);

      await db
        .insertInto('accounts')
        .values({ id: FIRST_ID, name: 'first', plan: 'unlimited', created_at: now })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
      return toAccountRecord(await oldest.executeTakeFirstOrThrow());
    },

    async add(account) {
      const id = newRecordId();
      const { createdAt, ...fields } = account;
      await db
        .insertInto('accounts')
        .values({ id, ...fields, created_at: createdAt })
        .execute();
      const settings = { pictureConsent: null, pool: null, retention: null, callStills: false };
      return { id, ...account, ...settings };
    },

    async find(id) {
      const row = await select().where('id', '=', id).executeTakeFirst();
      return row ? toAccountRecord(row) : null;
    },

    async change(id, { pictureConsent, retention, callStills, ...change }) {
      const columns = {
        ...change,
        ...(retention !== undefined && { retention: retention && JSON.stringify(retention) }),
        ...(callStills !== undefined && { call_stills: callStills ? 1 : 0 }),
        ...(pictureConsent !== undefined && { picture_consent: pictureConsent }),
      };
      // An update without columns is not valid SQL.
      if (Object.keys(columns).length > 0) {
        await db.updateTable('accounts').set(columns).where('id', '=', id).execute();
      }
      return this.find(id);
    },
  };
}
