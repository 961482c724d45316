/* The queries of a session's way, which run with every session. */
import { sql, type Insertable } from 'kysely';
import type { Database, SessionsTable, Transaction } from '../engine/database.ts';
import { gapsOf, prepare, type Value } from '../engine/prepared.ts';
import type { StateChange } from './state-changes.ts';

type Row = Insertable<SessionsTable>;

/** As the index `sessions_live` has it, and not as a parameter: else no database uses the index. */
export const isLive = sql<boolean>`status <> 'completed'`;

/** Conversations are nobody's to see, to count or to pay. */
export const isFace = sql<boolean>`kind = 'avatar'`;

export type SessionQueries = ReturnType<typeof sessionQueries>;

export function sessionQueries(db: Database) {
  const all = db.selectFrom('sessions').selectAll();
  const sessions = all.where(isFace);
  const changesOf: ReturnType<typeof changeSome>[] = [];
  const liveSessions = (accountId: Value<{ account_id: string }>) =>
    db.updateTable('accounts').where('id', '=', accountId('account_id'));

  return {
    insert: prepare((value: Value<Row>, row) =>
      db.insertInto('sessions').values(gapsOf(value, row)),
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
      all.where('call_id', '=', value('call_id')),
    ),
    change(trx: Transaction, changes: readonly StateChange[]) {
      const compiled = (changesOf[changes.length] ??= changeSome(db, changes.length));
      return trx.executeQuery<Pick<Row, 'id'>>({
        ...compiled,
        parameters: changes.flatMap(valuesOf),
      });
    },
    /** The account's row is locked until the transaction ends, so two that come together are counted one after the other. */
    countLive: prepare((value: Value<{ account_id: string }>) =>
      liveSessions(value).set((set) => ({ live_sessions: set('live_sessions', '+', 1) })),
    ),
    countLiveUpTo: prepare((value: Value<{ account_id: string; most: number }>) =>
      liveSessions(value)
        .set((set) => ({ live_sessions: set('live_sessions', '+', 1) }))
        .where('live_sessions', '<', value('most')),
    ),
    uncountLive: prepare((value: Value<{ account_id: string; ended: number }>) =>
      liveSessions(value).set((set) => ({
        live_sessions: set('live_sessions', '-', value('ended')),
      })),
    ),
  };
}

/** How many sessions one statement changes at most: there is a statement for each number of them. */
export const MOST_CHANGES = 16;

/** A completed session never changes, whatever arrives late; nor does one that is so already: a commit may have lost its answer. */
function changeSome(db: Database, count: number) {
  const row = sql`(${null}, ${null}, cast(${null} as bigint), cast(${null} as bigint), ${null})`;
  // Both databases name the columns of such rows so.
  const query = sql`
    update sessions
    set status = column2, started_at = column3, ended_at = column4, end_reason = column5
    from (values ${sql.join(Array.from({ length: count }, () => row))}) as given
    where id = column1 and ${isLive} and status <> column2
    returning id`;
  return query.compile(db);
}

const valuesOf = ({ session, fields }: StateChange) => [
  session.id,
  fields.status,
  fields.startedAt,
  fields.endedAt,
  fields.endReason,
];
