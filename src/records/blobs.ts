/*
 * Pictures, portraits, logos and avatar bundles: bytes stored once under their SHA-256. PostgreSQL
 * keeps them in rows. SQLite keeps each in a file, whose row says that it is complete. A file is
 * renamed into place and removed inside its row's transaction, so a killed process can only leave a
 * file without a row, which is never read and which `sweep` removes. The bytes are encrypted; hash
 * and size are those of the clear bytes.
 *
 * References to blobs are foreign keys, so a blob in use cannot be deleted.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { sql } from 'kysely';
import { isBrokenReference, type Database } from './engine/database.ts';
import { filesIn, noFiles, type BlobFiles } from './engine/blob-files.ts';
import { boundless, type DiskSpace } from './engine/disk-space.ts';
import type { Encryptor } from './engine/encryption/encryptor.ts';
import { placeOf } from './keys/encrypted-columns.ts';

/** An unreferenced blob is kept this long, as its uploader may be about to refer to it. */
const KEEP_UNUSED_MS = 3_600_000;

export interface Blobs {
  /**
   * Returns the hash. An unreferenced blob may be deleted after an hour. Throws `storage_full` if
   * the disk is almost full.
   */
  put(bytes: Uint8Array, now: number): Promise<string>;
  /** Null if there is no such blob. */
  read(hash: string): Promise<Uint8Array | null>;
  /** Deletes these blobs if they are unreferenced. */
  release(hashes: readonly string[]): Promise<void>;
  /** Deletes blobs that have been unreferenced for an hour. */
  sweep(now: number): Promise<void>;
}

export const hashOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** The files of the records at `where`. */
export const blobFiles = (where: { url: string } | { dataDir: string }): BlobFiles =>
  'url' in where ? noFiles : filesIn(path.join(where.dataDir, 'blobs'));

/** By default the bytes are in the rows. */
export function blobRecords(
  db: Database,
  encryptor: Encryptor,
  files: BlobFiles = noFiles,
  space: DiskSpace = boundless,
): Blobs {
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
      // A reference was added meanwhile.
      if (!isBrokenReference(error)) throw error;
    }
  };

  const put: Blobs['put'] = async (bytes, now) => {
    const hash = hashOf(bytes);
    const encrypted = encryptor.encryptBytes(bytes, placeIn(hash));
    const staged = await files.stage(encrypted);
    try {
      await db.transaction().execute(async (trx) => {
        await trx
          .insertInto('blobs')
          .values({ hash, size: bytes.length, bytes: staged ? null : encrypted, kept_at: now })
          .onConflict((conflict) => conflict.column('hash').doUpdateSet({ kept_at: now }))
          .execute();
        await staged?.keepAs(hash);
      });
    } finally {
      await staged?.discard();
    }
    return hash;
  };

  return {
    put: (bytes, now) => space.holdFile(bytes.length, () => put(bytes, now)),

    async read(hash) {
      const row = await db
        .selectFrom('blobs')
        .select('bytes')
        .where('hash', '=', hash)
        .executeTakeFirst();
      const stored = row && (row.bytes ?? (await files.read(hash)));
      return stored ? encryptor.readBytes(stored, placeIn(hash)) : null;
    },

    async release(hashes) {
      for (const hash of new Set(hashes)) await remove(hash);
    },

    async sweep(now) {
      const old = await db
        .selectFrom('blobs')
        .select('hash')
        .where('kept_at', '<', now - KEEP_UNUSED_MS)
        .where(isUnused)
        .execute();
      for (const { hash } of old) await remove(hash);
      await files.sweep(now - KEEP_UNUSED_MS, async (hash) => {
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

const placeIn = (hash: string): string => placeOf('blobs', 'bytes', hash);

const isUnused = sql<boolean>`not exists (select 1 from avatars where
  picture_hash = blobs.hash or background_hash = blobs.hash or
  bundle_hash = blobs.hash or portrait_hash = blobs.hash) and
  not exists (select 1 from agents where logo_hash = blobs.hash)`;
