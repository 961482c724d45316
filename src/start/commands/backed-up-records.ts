import path from 'node:path';
import { systemClock } from '#shared/clock.ts';
import { SOFTWARE_VERSION } from '#shared/process/version.ts';
import { recordsPlace, type Config } from '../../config.ts';
import { backUp } from '../../records/backup/backup.ts';
import { blobFiles } from '../../records/blobs.ts';
import { openExistingDatabase } from '../../records/engine/database.ts';
import { keySource } from '../../records/keys/key-source.ts';

export type DoneBackup = {
  folder: string;
  rows: number;
  blobs: number;
  /** Secret keys that it needs, and where they are kept now. */
  keys: string[];
  keys_in: string;
  has_keys: boolean;
};

/** Copies the records of this machine at one moment. */
export async function backUpRecords(
  settings: Config,
  { folder, withKeys }: { folder: string; withKeys: boolean },
): Promise<DoneBackup> {
  const place = recordsPlace(settings);
  const keys = keySource(settings);
  const fullPath = path.resolve(folder);
  const database = openExistingDatabase(place);
  try {
    const manifest = await backUp({
      db: database,
      files: blobFiles(place),
      folder: fullPath,
      withKeys: withKeys ? keys : null,
      version: SOFTWARE_VERSION,
      now: systemClock.now(),
    });
    return {
      folder: fullPath,
      rows: manifest.tables.reduce((sum, table) => sum + table.rows, 0),
      blobs: manifest.blobs,
      keys: manifest.keys,
      keys_in: keys.name,
      has_keys: withKeys,
    };
  } finally {
    await database.destroy();
  }
}

export function backupText(done: DoneBackup): string[] {
  const needed = done.keys.join(', ');
  return [
    `${done.folder}: ${done.rows} rows and ${done.blobs} blobs.`,
    done.has_keys
      ? `It contains the secret keys (${needed}): keep it as safe as the keys.`
      : `Keep the secret keys ${needed} (${done.keys_in}) elsewhere: without them, the backup cannot be read.`,
  ];
}
