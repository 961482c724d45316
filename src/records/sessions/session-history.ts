import { sql } from 'kysely';
import type { Database } from '../engine/database.ts';
import { isAvatarSession } from './session-queries.ts';

/** Counts of the sessions created in one step. Steps without sessions are left out. */
export type SessionPoint = { at: number; sessions: number; failures: number; minutes: number };

export interface SessionHistory {
  /** Oldest first, `stepSeconds` apart. Live sessions count until `now`. */
  points(
    accountId: string,
    span: { from: number; stepSeconds: number; now: number },
  ): Promise<SessionPoint[]>;
}

/** Ends that count as failures. */
const FAILURES = [
  'never_started',
  'room_refused',
  'token_expired',
  'worker_lost',
  'service_stopped',
];

/** Counted from the sessions themselves, along the index of their list. */
export const sessionHistory = (db: Database): SessionHistory => ({
  async points(accountId, { from, stepSeconds, now }) {
    const step = sql.lit(stepSeconds * 1000);
    const failed = sql`end_reason in (${sql.join(FAILURES.map((name) => sql.lit(name)))})`;
    const rows = await db
      .selectFrom('sessions')
      // Integer division in both databases.
      .select(sql<number>`created_at / ${step} * ${step}`.as('at'))
      .select((row) => row.fn.countAll<number | string>().as('sessions'))
      .select(sql<number | string>`sum(case when ${failed} then 1 else 0 end)`.as('failures'))
      .select(
        sql<
          number | string
        >`sum(case when started_at is null then 0 else coalesce(ended_at, cast(${now} as bigint)) - started_at end)`.as(
          'ms',
        ),
      )
      .where('account_id', '=', accountId)
      .where(isAvatarSession)
      .where('created_at', '>=', from)
      // `listed_at` is never before `created_at`; this bound ends the index scan.
      .where('listed_at', '>=', from * 1000)
      .groupBy(sql`1`)
      .orderBy(sql`1`)
      .execute();
    return rows.map((row) => ({
      at: row.at,
      sessions: Number(row.sessions),
      failures: Number(row.failures),
      minutes: Math.round(Number(row.ms) / 600) / 100,
    }));
  },
});
