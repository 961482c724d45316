/*
 * The builds of avatars, shared by all control planes. `avatar-build-state.ts` has their states and
 * transitions.
 */
import { sql } from 'kysely';
import {
  advanceBuild,
  toBuild,
  toColumns,
  type BuildEvent,
  type BuildResult,
} from './avatar-build-state.ts';
import { toAvatar, type AvatarRecord } from './avatar-row.ts';
import type { Database, Transaction } from '../engine/database.ts';

export type { BuildResult } from './avatar-build-state.ts';

/** One attempt to build one avatar. */
export type BuildPlacement = { avatarId: string; epoch: number };

/** `workerId`: the worker that reports; null: the control plane itself. */
export type ReportedBuild = BuildPlacement & { workerId: string | null };

export interface AvatarBuildRecords {
  /** Requested before then and still not built. */
  overdue(cutoff: number): Promise<AvatarRecord[]>;
  /** The unclaimed avatar that has waited longest. */
  waiting(now: number): Promise<AvatarRecord | null>;
  /** False if another control plane claimed it first. */
  claim(avatar: AvatarRecord, workerId: string, until: number): Promise<boolean>;
  /** False if the claim is stale or another worker's. */
  renewClaim(placement: ReportedBuild, until: number, progress?: number): Promise<boolean>;
  /** Ends a claim without a result. It counts as a try if `wasBegun`. */
  release(placement: ReportedBuild, wasBegun: boolean): Promise<void>;
  /**
   * False if the claim is stale or another worker's. Throws a broken reference if a blob is
   * missing.
   */
  settle(
    placement: ReportedBuild,
    result: BuildResult,
    now: number,
    /** Runs in the same transaction. */
    alongside?: (trx: Transaction, avatar: AvatarRecord) => Promise<void>,
  ): Promise<boolean>;
  /** Queues a failed avatar again. */
  queueAgain(id: string, now: number): Promise<void>;
}

export function avatarBuildRecords(db: Database): AvatarBuildRecords {
  const building = () => db.selectFrom('avatars').selectAll().where('status', '=', 'building');

  return {
    async overdue(cutoff) {
      const rows = await building().where('queued_at', '<=', cutoff).execute();
      return rows.map(toAvatar);
    },

    async waiting(now) {
      const row = await building()
        .where('claimed_until', '<=', now)
        .orderBy(sql`queued_at, id`)
        .executeTakeFirst();
      return row ? toAvatar(row) : null;
    },

    claim({ id, epoch }, workerId, until) {
      return change(db, id, { type: 'claimed', epoch, workerId, until });
    },

    renewClaim({ avatarId, epoch, workerId }, until, progress) {
      return change(db, avatarId, { type: 'renewed', epoch, workerId, until, progress });
    },

    async release({ avatarId, epoch, workerId }, wasBegun) {
      await change(db, avatarId, { type: 'released', epoch, workerId, wasBegun });
    },

    settle({ avatarId, epoch, workerId }, result, at, alongside) {
      return change(db, avatarId, { type: 'settled', epoch, workerId, result, at }, alongside);
    },

    async queueAgain(id, at) {
      await change(db, id, { type: 'queued_again', at });
    },
  };
}

/** False if the event has no effect. `alongside` runs in the same transaction. */
function change(
  db: Database,
  id: string,
  event: BuildEvent,
  alongside?: (trx: Transaction, avatar: AvatarRecord) => Promise<void>,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const avatar = trx.updateTable('avatars').where('id', '=', id).returningAll();
    // Locks the row until the transaction ends.
    const row = await avatar.set({ id }).executeTakeFirst();
    const build = row && advanceBuild(toBuild(row), event);
    if (!build) return false;
    const changed = await avatar.set(toColumns(build)).executeTakeFirstOrThrow();
    await alongside?.(trx, toAvatar(changed));
    return true;
  });
}
