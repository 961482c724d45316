import { accountRows, type AccountRecord } from './accounts.ts';
import { keyColumns, toKey, type ApiKeyRecord } from './api-keys.ts';
import type { Database } from '../engine/database.ts';
import { isAfter, newestFirst, type Lists, type Page, type PageRequest } from '../engine/pages.ts';

/**
 * Pages of accounts and their keys, most recent first. Few are created, so `created_at` orders
 * them.
 */
export interface AccountLists {
  accounts(request: PageRequest): Promise<Page<AccountRecord>>;
  keys(accountId: string, request: PageRequest): Promise<Page<ApiKeyRecord>>;
}

export function accountLists(db: Database, lists: Lists): AccountLists {
  const accounts = db
    .selectFrom('accounts')
    .selectAll()
    .select('created_at as listed_at')
    .as('listed');
  const keys = (accountId: string) =>
    db
      .selectFrom('api_keys')
      .select([...keyColumns, 'created_at as listed_at'])
      .where('account_id', '=', accountId)
      .as('listed');
  return {
    async accounts(request) {
      const { data, nextCursor } = await lists.page('accounts', request, (position, count) =>
        db
          .selectFrom(accounts)
          .selectAll()
          .where(isAfter(position))
          .orderBy(newestFirst)
          .limit(count)
          .execute(),
      );
      return { data: data.map(accountRows.toRecord), nextCursor };
    },
    async keys(accountId, request) {
      const { data, nextCursor } = await lists.page(
        `api-keys/${accountId}`,
        request,
        (position, count) =>
          db
            .selectFrom(keys(accountId))
            .selectAll()
            .where(isAfter(position))
            .orderBy(newestFirst)
            .limit(count)
            .execute(),
      );
      return { data: data.map(toKey), nextCursor };
    },
  };
}
