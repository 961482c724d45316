import path from 'node:path';
import { recordsPlace, type Config } from '../../config.ts';
import { restore } from '../../records/backup/restore.ts';
import { blobFiles } from '../../records/blobs.ts';
import { openDatabase } from '../../records/engine/database.ts';
import { keySource } from '../../records/keys/key-source.ts';

/** `created_at`: when the backup was made. */
export type DoneRestore = { folder: string; rows: number; blobs: number; created_at: string };

/** Copies a backup into the empty records of this machine. */
export async function restoreRecords(settings: Config, folder: string): Promise<DoneRestore> {
  const place = recordsPlace(settings);
  const fullPath = path.resolve(folder);
  const database = openDatabase(place);
  try {
    const { tables, blobs, createdAt } = await restore({
      db: database,
      files: blobFiles(place),
      folder: fullPath,
      keys: keySource(settings),
    });
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    return { folder: fullPath, rows, blobs, created_at: createdAt };
  } finally {
    await database.destroy();
  }
}

export const restoreText = ({ rows, blobs, created_at }: DoneRestore): string =>
  `Restored ${rows} rows and ${blobs} blobs of ${created_at}.`;
