/*
 * Sessions at outside services, shared by all control planes. A claim moves `due_at` past the
 * longest request: no other control plane looks at the session, and it is due again if the claimant
 * dies. A change is saved only over the version that it was made from.
 */
import type { Database } from '../engine/database.ts';
import { transact } from '../engine/transact.ts';
import { toOutsideRow, toOutsideSession, type OutsideSession } from './outside-session.ts';
import { lockUnchanged, type Overflow } from './overflows.ts';

type Place = Pick<OutsideSession, 'sessionId' | 'epoch'>;

/** Use of a pool's limits. */
export type OutsideUse = {
  /** Open sessions. */
  open: number;
  /** The most that they may cost, if they were reserved in the period. */
  reservedMicros: number;
  /** Cost of the closed ones of the period. */
  spentMicros: number;
  /** Length of the closed ones of the period. */
  lengthMs: number;
};

export interface OutsideSessionRecords {
  /**
   * Inserts what `decide` makes of the pool's use, one after another. Null: nothing, the session is
   * open at an outside service, or `overflow` is no longer the pool's overflow: sessions that its
   * address and key cannot end must not begin.
   */
  reserve(
    overflow: Overflow,
    periodStart: number,
    decide: (use: OutsideUse) => OutsideSession | null,
  ): Promise<OutsideSession | null>;
  use(pool: string, periodStart: number): Promise<OutsideUse>;
  find(place: Place): Promise<OutsideSession | null>;
  /** False: it has changed since it was read. */
  save(session: OutsideSession): Promise<boolean>;
  /** Those that are not closed, of all pools. */
  open(): Promise<OutsideSession[]>;
  /** Those to look at, longest due first. */
  due(now: number, count: number): Promise<OutsideSession[]>;
  /** When the next one is due; null without an open one. */
  nextDueAt(): Promise<number | null>;
  /** Deletes those closed before. */
  removeClosed(cutoff: number): Promise<void>;
  /** Most recent first. */
  recent(pool: string, count: number): Promise<OutsideSession[]>;
  /**
   * Deletes closed ones whose session is no longer recorded, in the order of ids. Those reserved at
   * or after `cutoff` stay. Returns the id after which the next batch begins; null: nothing is
   * left.
   */
  prune(batch: { cutoff: number; cursor: string; count: number }): Promise<string | null>;
}

/** Listed, so that the index applies. */
const OPEN = ['reserved', 'creating', 'waiting', 'showing', 'ending'] as const;

export function outsideSessionRecords(db: Database): OutsideSessionRecords {
  const selectSessions = () => db.selectFrom('outside_sessions').selectAll();
  return {
    reserve(overflow, periodStart, decide) {
      return transact(db, async (trx) => {
        if (!(await lockUnchanged(trx, overflow))) return null;
        const session = decide(await useOf(trx, overflow.pool, periodStart));
        if (!session || (await isOpen(trx, session.sessionId))) return null;
        // A placement that was reserved and freed before is not reserved again.
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto('outside_sessions')
          .values(toOutsideRow(session))
          .onConflict((conflict) => conflict.columns(['session_id', 'epoch']).doNothing())
          .executeTakeFirst();
        return (numInsertedOrUpdatedRows ?? 0n) > 0n ? session : null;
      });
    },

    use: (pool, periodStart) => useOf(db, pool, periodStart),

    async find({ sessionId, epoch }) {
      const row = await selectSessions()
        .where('session_id', '=', sessionId)
        .where('epoch', '=', epoch)
        .executeTakeFirst();
      return row ? toOutsideSession(row) : null;
    },

    async save(session) {
      const { numUpdatedRows } = await db
        .updateTable('outside_sessions')
        .set(toOutsideRow({ ...session, version: session.version + 1 }))
        .where('session_id', '=', session.sessionId)
        .where('epoch', '=', session.epoch)
        .where('version', '=', session.version)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async open() {
      const rows = await selectSessions().where('state', 'in', OPEN).execute();
      return rows.map(toOutsideSession);
    },

    async due(now, count) {
      const rows = await selectSessions()
        .where('state', 'in', OPEN)
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(count)
        .execute();
      return rows.map(toOutsideSession);
    },

    async nextDueAt() {
      const row = await db
        .selectFrom('outside_sessions')
        .select('due_at')
        .where('state', 'in', OPEN)
        .orderBy('due_at')
        .limit(1)
        .executeTakeFirst();
      return row?.due_at ?? null;
    },

    async removeClosed(cutoff) {
      await db
        .deleteFrom('outside_sessions')
        .where('state', '=', 'closed')
        .where('due_at', '<', cutoff)
        .execute();
    },

    async recent(pool, count) {
      const rows = await selectSessions()
        .where('pool', '=', pool)
        .orderBy('reserved_at', 'desc')
        .limit(count)
        .execute();
      return rows.map(toOutsideSession);
    },

    async prune({ cutoff, cursor, count }) {
      const rows = await db
        .selectFrom('outside_sessions')
        .select('session_id')
        .distinct()
        .where('session_id', '>', cursor)
        .where('reserved_at', '<', cutoff)
        .orderBy('session_id')
        .limit(count)
        .execute();
      if (rows.length === 0) return null;
      const ids = rows.map((row) => row.session_id);
      await db
        .deleteFrom('outside_sessions')
        .where('session_id', 'in', ids)
        .where('session_id', 'not in', (select) =>
          select.selectFrom('sessions').select('id').where('id', 'in', ids),
        )
        .where('state', '=', 'closed')
        .where('reserved_at', '<', cutoff)
        .execute();
      return rows.length === count ? ids.at(-1)! : null;
    },
  };
}

/** The provider takes two of one room for the same session, so the end of one would end both. */
async function isOpen(db: Database, sessionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('outside_sessions')
    .select('epoch')
    .where('session_id', '=', sessionId)
    .where('state', 'in', OPEN)
    .executeTakeFirst();
  return row !== undefined;
}

async function useOf(db: Database, pool: string, periodStart: number): Promise<OutsideUse> {
  const ofPool = db.selectFrom('outside_sessions').where('pool', '=', pool);
  const open = await ofPool
    .select((select) => select.fn.countAll().as('count'))
    .where('state', 'in', OPEN)
    .executeTakeFirstOrThrow();
  const sums = await ofPool
    .select((select) => [
      'state',
      select.fn.sum('cost_micros').as('cost'),
      select.fn.sum('length_ms').as('length'),
    ])
    .where('reserved_at', '>=', periodStart)
    .groupBy('state')
    .execute();
  const use = { open: Number(open.count), reservedMicros: 0, spentMicros: 0, lengthMs: 0 };
  for (const { state, cost, length } of sums) {
    if (state !== 'closed') {
      use.reservedMicros += Number(cost);
      continue;
    }
    use.spentMicros += Number(cost);
    use.lengthMs += Number(length);
  }
  return use;
}
