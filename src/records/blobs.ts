/*
 * Pictures, portraits and avatar bundles: bytes named by their SHA-256, kept once however often they come. With PostgreSQL they are in its rows;
 * with SQLite each is a file beside it, and its row says that it is whole. A file appears and disappears inside the transaction of its row, and
 * those transactions come one after the other: whatever a kill leaves behind is a file without a row, which nobody reads and `sweep` removes.
 *
 * Who refers to a blob does so by a foreign key: a blob that is needed cannot go, and one that has gone cannot be referred to.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { sql } from 'kysely';
import { isBrokenReference, type Database } from './engine/database.ts';
import { filesIn, noFiles, type BlobFiles } from './engine/blob-files.ts';

/** How long what nobody refers to is kept: whoever put it there is about to. */
const UNUSED_MS = 3_600_000;

export interface Blobs {
  /** Answers their name. Until somebody refers to them they may be gone after an hour. */
  put(bytes: Uint8Array, now: number): Promise<string>;
  /** Null when there are none of this name. */
  read(hash: string): Promise<Uint8Array | null>;
  /** Deletes those of them that nobody refers to. */
  release(hashes: readonly string[]): Promise<void>;
  /** Deletes what nobody has referred to for an hour. */
  sweep(now: number): Promise<void>;
}

export const hashOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** Beside the records at `where`. */
export function openBlobs(db: Database, where: { url: string } | { dataDir: string }): Blobs {
  if ('url' in where) return blobRecords(db, noFiles);
  return blobRecords(db, filesIn(path.join(where.dataDir, 'blobs')));
}

/** Without files the bytes are in the rows. */
export function blobRecords(db: Database, files: BlobFiles = noFiles): Blobs {
  const remove = async (hash: string): Promise<void> => {
    try {
      await db.transaction().execute(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('blobs')
          .where('hash', '=', hash)
          .where(isUnused)
          .executeTakeFirstOrThrow();
        if (numDeletedRows > 0n) await files.remove(hash);
      });
    } catch (error) {
      // Somebody has begun to refer to it.
      if (!isBrokenReference(error)) throw error;
    }
  };

  return {
    async put(bytes, now) {
      const hash = hashOf(bytes);
      const staged = await files.stage(bytes);
      try {
        await db.transaction().execute(async (trx) => {
          await trx
            .insertInto('blobs')
            .values({ hash, size: bytes.length, bytes: staged ? null : bytes, kept_at: now })
            .onConflict((conflict) => conflict.column('hash').doUpdateSet({ kept_at: now }))
            .execute();
          await staged?.keepAs(hash);
        });
      } finally {
        await staged?.discard();
      }
      return hash;
    },

    async read(hash) {
      const row = await db
        .selectFrom('blobs')
        .select('bytes')
        .where('hash', '=', hash)
        .executeTakeFirst();
      return row ? (row.bytes ?? files.read(hash)) : null;
    },

    async release(hashes) {
      for (const hash of new Set(hashes)) await remove(hash);
    },

    async sweep(now) {
      const old = await db
        .selectFrom('blobs')
        .select('hash')
        .where('kept_at', '<', now - UNUSED_MS)
        .where(isUnused)
        .execute();
      for (const { hash } of old) await remove(hash);
      await files.sweep(now - UNUSED_MS, async (hash) => {
        const row = await db
          .selectFrom('blobs')
          .select('hash')
          .where('hash', '=', hash)
          .executeTakeFirst();
        return row !== undefined;
      });
    },
  };
}

const isUnused = sql<boolean>`not exists (select 1 from avatars where
  picture_hash = blobs.hash or background_hash = blobs.hash or
  bundle_hash = blobs.hash or portrait_hash = blobs.hash)`;
