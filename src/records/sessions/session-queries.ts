/* Prepared queries that run for every session. */
import { sql, type Insertable } from 'kysely';
import type { Database } from '../engine/database.ts';
import type { SessionsTable } from '../engine/tables/tables.ts';
import { placeholdersOf, prepare, type Value } from '../engine/prepared.ts';

type Row = Insertable<SessionsTable>;

/**
 * Literally as in the partial index `sessions_live`; with a parameter neither database would use
 * it.
 */
export const isLive = sql<boolean>`status <> 'completed'`;

/** Excludes conversations, which are not shown, counted or billed. */
export const isAvatarSession = sql<boolean>`kind = 'avatar'`;

export type SessionQueries = ReturnType<typeof sessionQueries>;

export function sessionQueries(db: Database) {
  const allSessions = db.selectFrom('sessions').selectAll();
  const sessions = allSessions.where(isAvatarSession);
  const updateAccount = (value: Value<{ account_id: string }>) =>
    db.updateTable('accounts').where('id', '=', value('account_id'));

  return {
    insert: prepare((value: Value<Row>, row) =>
      db.insertInto('sessions').values(placeholdersOf(value, row)),
    ),
    find: prepare((value: Value<{ account_id: string; id: string }>) =>
      sessions.where('account_id', '=', value('account_id')).where('id', '=', value('id')),
    ),
    findLiveByFingerprint: prepare((value: Value<{ account_id: string; fingerprint: string }>) =>
      sessions
        .where('account_id', '=', value('account_id'))
        .where('token_fingerprint', '=', value('fingerprint'))
        .where(isLive),
    ),
    findByIdempotencyKey: prepare((value: Value<{ account_id: string; key: string }>) =>
      sessions
        .where('account_id', '=', value('account_id'))
        .where('idempotency_key', '=', value('key')),
    ),
    ofCall: prepare((value: Value<{ call_id: string }>) =>
      allSessions.where('call_id', '=', value('call_id')),
    ),
    /**
     * Locks the account's row until the transaction ends, so concurrent inserts are counted in
     * turn.
     */
    countLive: prepare((value: Value<{ account_id: string }>) =>
      updateAccount(value).set((set) => ({ live_sessions: set('live_sessions', '+', 1) })),
    ),
    countLiveUpTo: prepare((value: Value<{ account_id: string; max: number }>) =>
      updateAccount(value)
        .set((set) => ({ live_sessions: set('live_sessions', '+', 1) }))
        .where('live_sessions', '<', value('max')),
    ),
    uncountLive: prepare((value: Value<{ account_id: string; ended: number }>) =>
      updateAccount(value).set((set) => ({
        live_sessions: set('live_sessions', '-', value('ended')),
      })),
    ),
  };
}
