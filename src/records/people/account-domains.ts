import { newRecordId } from '#shared/ids.ts';
import type { Database } from '../engine/database.ts';
import { isAfter, newestFirst, type Lists, type Page, type PageRequest } from '../engine/pages.ts';
import type { Role } from './people.ts';

/** An e-mail domain whose people join the account when they first sign in. */
export type AccountDomainRecord = {
  id: string;
  accountId: string;
  /** In lower case and ASCII. */
  domain: string;
  role: Role;
  createdAt: number;
};

interface AccountDomainRecords {
  /** Null if an account has the domain. */
  add(domain: Omit<AccountDomainRecord, 'id'>): Promise<AccountDomainRecord | null>;
  find(domain: string): Promise<AccountDomainRecord | null>;
  page(accountId: string, request: PageRequest): Promise<Page<AccountDomainRecord>>;
  /** Null if the account has no such domain. */
  remove(accountId: string, id: string): Promise<AccountDomainRecord | null>;
}

const columns = [
  'id',
  'account_id as accountId',
  'domain',
  'role',
  'created_at as createdAt',
] as const;

export function accountDomainRecords(db: Database, lists: Lists): AccountDomainRecords {
  // Few are created, so `created_at` orders them.
  const listed = db
    .selectFrom('account_domains')
    .select([...columns, 'created_at as listed_at'])
    .as('listed');

  return {
    async add({ accountId, domain, role, createdAt }) {
      const id = newRecordId();
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('account_domains')
        .values({ id, account_id: accountId, domain, role, created_at: createdAt })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      const isTaken = numInsertedOrUpdatedRows === 0n;
      return isTaken ? null : { id, accountId, domain, role, createdAt };
    },

    async find(domain) {
      const row = await db
        .selectFrom('account_domains')
        .select(columns)
        .where('domain', '=', domain)
        .executeTakeFirst();
      return row ?? null;
    },

    page: (accountId, request) =>
      lists.page(`domains/${accountId}`, request, (position, count) =>
        db
          .selectFrom(listed)
          .selectAll()
          .where('accountId', '=', accountId)
          .where(isAfter(position))
          .orderBy(newestFirst)
          .limit(count)
          .execute(),
      ),

    async remove(accountId, id) {
      const row = await db
        .deleteFrom('account_domains')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .returning(columns)
        .executeTakeFirst();
      return row ?? null;
    },
  };
}
