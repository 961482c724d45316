/*
 * How an avatar of an account is built. It is
 * building  its picture waits for a worker, or one is at work on it: `epoch`, `workerId` and `claimedUntil` say which try counts
 *                                               -> ready, failed
 * ready     it has a bundle and a portrait; final
 * failed    `reason` says why                   -> building when its picture comes again with a session, after a while
 *
 * Whoever speaks for a build names its epoch: what an earlier try says changes nothing.
 */
import { sql } from 'kysely';
import { toAvatar, type AvatarRecord } from './avatar-row.ts';
import type { Database, Transaction } from './engine/database.ts';

/** One try to build one avatar. */
export type BuildPlacement = { avatarId: string; epoch: number };

export type BuildResult = { bundleHash: string; portraitHash: string } | { reason: string };

export interface AvatarBuildRecords {
  /** Asked for before then, and still not built. */
  overdue(before: number): Promise<AvatarRecord[]>;
  /** The one that has waited longest of those that nobody is at work on. */
  waiting(now: number): Promise<AvatarRecord | null>;
  /** Begins a try: false when another control plane was faster. */
  claim(avatar: AvatarRecord, workerId: string, until: number): Promise<boolean>;
  /** The try goes on. False when it is not the valid one. */
  proceed(placement: BuildPlacement, until: number, progress?: number): Promise<boolean>;
  /** The try is over without a result; `wasBegun`: it counts as one. */
  release(placement: BuildPlacement, wasBegun: boolean): Promise<void>;
  /** False when the try is not the valid one. Throws a broken reference when a blob is not there. */
  settle(
    placement: BuildPlacement,
    result: BuildResult,
    now: number,
    /** Written with it, or not at all. */
    alongside?: (trx: Transaction, avatar: AvatarRecord) => Promise<void>,
  ): Promise<boolean>;
  /** A failed one is built once more. */
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

    async proceed(placement, until, progress) {
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

/** Only while the try is the valid one. */
const update = (on: Database | Transaction, { avatarId, epoch }: BuildPlacement) =>
  on
    .updateTable('avatars')
    .where('id', '=', avatarId)
    .where('epoch', '=', epoch)
    .where('status', '=', 'building');
