import { sql } from 'kysely';
import type { Database } from './database.ts';

export interface UsageRecords {
  /** How many of the account's sessions are not completed. */
  live(accountId: string): Promise<number>;
  /** How long the account's sessions went on in this span, in milliseconds all together. `to` is at most now: a session that goes on counts until then. */
  between(accountId: string, span: { from: number; to: number }): Promise<number>;
}

export function usageRecords(db: Database): UsageRecords {
  return {
    async live(accountId) {
      const account = await db
        .selectFrom('accounts')
        .select('live_sessions')
        .where('id', '=', accountId)
        .executeTakeFirst();
      return account?.live_sessions ?? 0;
    },

    async between(accountId, { from, to }) {
      // SQLite and PostgreSQL have no common name for the smaller of two values.
      const begin = sql<number>`case when started_at > ${from} then started_at else ${from} end`;
      const end = sql<number>`case when ended_at < ${to} then ended_at else ${to} end`;
      const { ms } = await db
        .selectFrom('sessions')
        .select(sql<number | string>`coalesce(sum((${end}) - (${begin})), 0)`.as('ms'))
        .where('account_id', '=', accountId)
        .where('started_at', '<', to)
        .where((where) => where.or([where('ended_at', 'is', null), where('ended_at', '>', from)]))
        .executeTakeFirstOrThrow();
      return Number(ms);
    },
  };
}
