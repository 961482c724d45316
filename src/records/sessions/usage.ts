import { sql } from 'kysely';
import type { Database } from '../engine/database.ts';
import { isAvatarSession, isLive } from './session-queries.ts';

export interface UsageRecords {
  /** Number of the account's live sessions. */
  live(accountId: string): Promise<number>;
  /**
   * Total session time within the span in milliseconds. `to` is at most now; live sessions count
   * until then.
   */
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
      // SQLite and PostgreSQL have no common function for the smaller of two values.
      const begin = sql<number>`case when started_at > ${from} then started_at else ${from} end`;
      const end = sql<number>`case when ended_at < ${to} then ended_at else ${to} end`;
      const ms = sql<number>`(${end}) - (${begin})`.as('ms');
      const startedBefore = db
        .selectFrom('sessions')
        .select(ms)
        .where('account_id', '=', accountId)
        .where(isAvatarSession)
        .where('started_at', '<', to);
      // One partial index holds live sessions, another ended ones; a query with `or` would use
      // neither.
      const each = startedBefore
        .where(isLive)
        .unionAll(startedBefore.where('ended_at', '>', from))
        .unionAll(
          db
            .selectFrom('deleted_usage')
            .select(ms)
            .where('account_id', '=', accountId)
            .where('started_at', '<', to)
            .where('ended_at', '>', from),
        );
      const { total } = await db
        .selectFrom(each.as('each'))
        .select(sql<number | string>`coalesce(sum(ms), 0)`.as('total'))
        .executeTakeFirstOrThrow();
      return Number(total);
    },
  };
}
