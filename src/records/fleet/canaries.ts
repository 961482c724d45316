import { sql, type Selectable } from 'kysely';
import { newRecordId } from '#shared/ids.ts';
import type { Database } from '../engine/database.ts';
import type { CanariesTable } from '../engine/tables/tables.ts';
import { transact } from '../engine/transact.ts';

export const ARMS = ['canary', 'stable'] as const;
/** `canary`: the pool on trial; `stable`: the pool that it is compared with. */
export type Arm = (typeof ARMS)[number];

/** `failures` of the `sessions`. */
export type Tally = { sessions: number; failures: number };

export type CanarySettings = { pool: string; stablePool: string; sharePercent: number };

export type CanaryRecord = CanarySettings & {
  /** Id of this trial: a new trial counts from zero. */
  id: string;
  startedAt: number;
  /** Null: new sessions try it. */
  stoppedAt: number | null;
  tallies: Record<Arm, Tally>;
};

export interface CanaryRecords {
  find(): Promise<CanaryRecord | null>;
  /** Begins a trial, in place of the one before. */
  begin(settings: CanarySettings, now: number): Promise<CanaryRecord>;
  /** False if there is none. */
  remove(): Promise<boolean>;
  /** Adds to the counts. Null if the trial is over. */
  count(id: string, arm: Arm, added: Tally): Promise<CanaryRecord | null>;
  /** False if it was stopped before. */
  stop(id: string, now: number): Promise<boolean>;
}

export const canaryRecords = (db: Database): CanaryRecords => ({
  async find() {
    const row = await db.selectFrom('canaries').selectAll().executeTakeFirst();
    return row ? toRecord(row) : null;
  },

  begin({ pool, stablePool, sharePercent }, now) {
    return transact(db, async (trx) => {
      await trx.deleteFrom('canaries').execute();
      const row = {
        id: newRecordId(),
        pool,
        stable_pool: stablePool,
        share_percent: sharePercent,
        started_at: now,
        stopped_at: null,
        canary_sessions: 0,
        canary_failures: 0,
        stable_sessions: 0,
        stable_failures: 0,
      };
      await trx.insertInto('canaries').values(row).execute();
      return toRecord(row);
    });
  },

  async remove() {
    const { numDeletedRows } = await db.deleteFrom('canaries').executeTakeFirst();
    return numDeletedRows > 0n;
  },

  async count(id, arm, { sessions, failures }) {
    const row = await db
      .updateTable('canaries')
      .set({
        [`${arm}_sessions`]: sql`${sql.ref(`${arm}_sessions`)} + ${sessions}`,
        [`${arm}_failures`]: sql`${sql.ref(`${arm}_failures`)} + ${failures}`,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    return row ? toRecord(row) : null;
  },

  async stop(id, now) {
    const { numUpdatedRows } = await db
      .updateTable('canaries')
      .set({ stopped_at: now })
      .where('id', '=', id)
      .where('stopped_at', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },
});

const toRecord = (row: Selectable<CanariesTable>): CanaryRecord => ({
  id: row.id,
  pool: row.pool,
  stablePool: row.stable_pool,
  sharePercent: row.share_percent,
  startedAt: row.started_at,
  stoppedAt: row.stopped_at,
  tallies: {
    canary: { sessions: row.canary_sessions, failures: row.canary_failures },
    stable: { sessions: row.stable_sessions, failures: row.stable_failures },
  },
});
