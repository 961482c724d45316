import path from 'node:path';
import { systemClock } from '#shared/clock.ts';
import { readCommand } from '#shared/command-line.ts';
import { SOFTWARE_VERSION } from '#shared/version.ts';
import { recordsPlace } from '../../config.ts';
import { backUp } from '../../records/backup/backup.ts';
import { blobFiles } from '../../records/blobs.ts';
import { openDatabase } from '../../records/engine/database.ts';
import { keySource } from '../../records/keys/key-source.ts';
import { readSettings } from './settings.ts';

const { values, positionals } = readCommand({
  usage: `Usage: npm run backup -- DIR [--with-keys]

Copies the records at one moment into DIR, which must be new or empty: all tables, pictures and avatar bundles. Works while
the service runs, with SQLite and PostgreSQL. The copy stays encrypted and names the secret keys that it needs.
  --with-keys  adds the secret keys: whoever has the backup can then read it`,
  options: { 'with-keys': { type: 'boolean', default: false } },
  positionals: { min: 1, max: 1 },
});
const folder = path.resolve(positionals[0] ?? '');
const settings = readSettings();
const place = recordsPlace(settings);
const keys = keySource(settings);
const database = openDatabase(place);
try {
  const manifest = await backUp({
    db: database,
    files: blobFiles(place),
    folder,
    withKeys: values['with-keys'] ? keys : null,
    version: SOFTWARE_VERSION,
    now: systemClock.now(),
  });
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  const needed = manifest.keys.join(', ');
  process.stdout.write(`${folder}: ${rows} rows and ${manifest.blobs} blobs.\n`);
  process.stdout.write(
    values['with-keys']
      ? `It holds the secret keys (${needed}): keep it as safe as them.\n`
      : `Keep the secret keys ${needed} (${keys.name}) elsewhere: without them nobody can read it.\n`,
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await database.destroy();
}
