import path from 'node:path';
import { readCommand } from '#shared/command-line.ts';
import { recordsPlace } from '../../config.ts';
import { restore } from '../../records/backup/restore.ts';
import { blobFiles } from '../../records/blobs.ts';
import { openDatabase } from '../../records/engine/database.ts';
import { keySource } from '../../records/keys/key-source.ts';
import { readSettings } from './settings.ts';

const { positionals } = readCommand({
  usage: `Usage: npm run restore -- DIR

Copies a backup into empty records: DATABASE_URL, or else DATA_DIR. Run it before the first start of the service, with the
secret keys that the backup names in TROUPE_SECRET_KEY or the key file, unless the backup holds them.`,
  positionals: { min: 1, max: 1 },
});
const folder = path.resolve(positionals[0] ?? '');
const settings = readSettings();
const place = recordsPlace(settings);
const database = openDatabase(place);
try {
  const { tables, blobs, createdAt } = await restore({
    db: database,
    files: blobFiles(place),
    folder,
    keys: keySource(settings),
  });
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  process.stdout.write(`Restored ${rows} rows and ${blobs} blobs of ${createdAt}.\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await database.destroy();
}
