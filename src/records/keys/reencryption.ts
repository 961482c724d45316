/*
 * Encrypts every stored value with the current key that is in clear or encrypted with another key.
 * Values are replaced one by one and only if unchanged, so the service goes on meanwhile and
 * several control planes may do this at once.
 */
import type { BlobFiles } from '../engine/blob-files.ts';
import type { Database } from '../engine/database.ts';
import { BYTES_PREFIX, keyIdOfBytes, type Encryptor } from '../engine/encryption/encryptor.ts';
import { encryptedColumns, placeOf, type EncryptedColumn } from './encrypted-columns.ts';
import { readValue, replaceValue, staleRows, type RowKey } from './stored-values.ts';

export type ReencryptionParts = {
  db: Database;
  files: BlobFiles;
  encryptor: Encryptor;
  /** Awaited after each batch. False to stop. */
  pause: () => Promise<boolean>;
  /** A value that cannot be decrypted. The others follow. */
  onFailure: (place: string, error: unknown) => void;
};

export type ReencryptionResult = { changed: number; failed: number };

const BATCH = 50;

/** `keyId`: the current key of the encryptor. Null if stopped. */
export async function reencrypt(
  parts: ReencryptionParts,
  keyId: string,
): Promise<ReencryptionResult | null> {
  const result: ReencryptionResult = { changed: 0, failed: 0 };
  const attempt = async (place: string, change: () => Promise<boolean>) => {
    try {
      if (await change()) result.changed += 1;
    } catch (error) {
      result.failed += 1;
      parts.onFailure(place, error);
    }
  };
  for (const column of encryptedColumns) {
    let lastKey: RowKey | null = null;
    for (;;) {
      const rows: RowKey[] = await staleRows(parts.db, column, keyId, lastKey, BATCH);
      for (const row of rows) {
        await attempt(column.placeOf(row), () => replaceInRow(parts, column, row));
      }
      const lastRow = rows.at(-1);
      if (!lastRow || rows.length < BATCH) break;
      lastKey = lastRow;
      if (!(await parts.pause())) return null;
    }
  }
  for (const hash of await parts.files.names()) {
    const start = await parts.files.readStart(hash, BYTES_PREFIX);
    if (!start || keyIdOfBytes(start) === keyId) continue;
    await attempt(placeOf('blobs', 'bytes', hash), () => replaceInFile(parts, hash));
    if (!(await parts.pause())) return null;
  }
  return result;
}

async function replaceInRow(
  { db, encryptor }: ReencryptionParts,
  column: EncryptedColumn,
  row: RowKey,
): Promise<boolean> {
  const value = await readValue(db, column, row);
  if (value === undefined || value === null) return false;
  const place = column.placeOf(row);
  const newValue =
    typeof value === 'string'
      ? encryptor.encrypt(encryptor.readText(value, place), place)
      : encryptor.encryptBytes(encryptor.readBytes(value, place), place);
  return replaceValue(db, column, row, value, newValue);
}

async function replaceInFile(
  { db, files, encryptor }: ReencryptionParts,
  hash: string,
): Promise<boolean> {
  const place = placeOf('blobs', 'bytes', hash);
  return db.transaction().execute(async (trx) => {
    // Locks the row, so that the blob is not removed meanwhile. A file without a row is swept.
    const { numUpdatedRows } = await trx
      .updateTable('blobs')
      .set({ hash })
      .where('hash', '=', hash)
      .executeTakeFirstOrThrow();
    const stored = numUpdatedRows > 0n ? await files.read(hash) : null;
    if (!stored) return false;
    const staged = await files.stage(
      encryptor.encryptBytes(encryptor.readBytes(stored, place), place),
    );
    try {
      await staged?.keepAs(hash);
    } finally {
      await staged?.discard();
    }
    return true;
  });
}
