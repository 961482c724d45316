/*
 * The build of an avatar.
 *
 * building, unclaimed  `claimedUntil` has passed  -> claimed, or failed when overdue
 * building, claimed    a worker builds it         -> ready, failed; unclaimed on release or expiry
 * ready                final
 * failed               `reason` says why          -> unclaimed by `queueAgain`
 *
 * Each claim has a new epoch. A change that names an older epoch has no effect.
 */
import { sql } from 'kysely';
import { toAvatar, type AvatarRecord } from './avatar-row.ts';
import type { Database, Transaction } from './engine/database.ts';

/** One attempt to build one avatar. */
export type BuildPlacement = { avatarId: string; epoch: number };

export type BuildResult = { bundleHash: string; portraitHash: string } | { reason: string };

export interface AvatarBuildRecords {
  /** Requested before then and still not built. */
  overdue(before: number): Promise<AvatarRecord[]>;
  /** The unclaimed avatar that has waited longest. */
  waiting(now: number): Promise<AvatarRecord | null>;
  /** False if another control plane claimed it first. */
  claim(avatar: AvatarRecord, workerId: string, until: number): Promise<boolean>;
  /** False if the claim is stale. */
  renewClaim(placement: BuildPlacement, until: number, progress?: number): Promise<boolean>;
  /** Ends a claim without a result. It counts as a try if `wasBegun`. */
  release(placement: BuildPlacement, wasBegun: boolean): Promise<void>;
  /** False if the claim is stale. Throws a broken reference if a blob is missing. */
  settle(
    placement: BuildPlacement,
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
    async overdue(before) {
      const rows = await building().where('queued_at', '<=', before).execute();
      return rows.map(toAvatar);
    },

    async waiting(now) {
      const row = await building()
        .where('claimed_until', '<=', now)
        .orderBy(sql`queued_at, id`)
        .executeTakeFirst();
      return row ? toAvatar(row) : null;
    },

    async claim({ id, epoch, tries }, workerId, until) {
      const { numUpdatedRows } = await update(db, { avatarId: id, epoch })
        .set({
          epoch: epoch + 1,
          tries: tries + 1,
          worker_id: workerId,
          claimed_until: until,
          progress: 0,
        })
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    async renewClaim(placement, until, progress) {
      const { numUpdatedRows } = await update(db, placement)
        .set({ claimed_until: until, ...(progress !== undefined && { progress }) })
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    async release(placement, wasBegun) {
      await update(db, placement)
        .set((set) => ({
          claimed_until: 0,
          worker_id: null,
          ...(!wasBegun && { tries: set('tries', '-', 1) }),
        }))
        .execute();
    },

    async settle(placement, result, now, alongside) {
      return db.transaction().execute(async (trx) => {
        const row = await update(trx, placement)
          .set({
            settled_at: now,
            claimed_until: 0,
            worker_id: null,
            ...('reason' in result
              ? { status: 'failed' as const, reason: result.reason }
              : {
                  status: 'ready' as const,
                  progress: 100,
                  bundle_hash: result.bundleHash,
                  portrait_hash: result.portraitHash,
                }),
          })
          .returningAll()
          .executeTakeFirst();
        if (row) await alongside?.(trx, toAvatar(row));
        return row !== undefined;
      });
    },

    async queueAgain(id, now) {
      await db
        .updateTable('avatars')
        .set({
          status: 'building',
          reason: null,
          progress: 0,
          tries: 0,
          queued_at: now,
          settled_at: null,
        })
        .where('id', '=', id)
        .where('status', '=', 'failed')
        .execute();
    },
  };
}

/** Matches only if the claim is current. */
const update = (on: Database | Transaction, { avatarId, epoch }: BuildPlacement) =>
  on
    .updateTable('avatars')
    .where('id', '=', avatarId)
    .where('epoch', '=', epoch)
    .where('status', '=', 'building');
