import { readCommand } from '#shared/process/command-line.ts';
import { restoreRecords, restoreText } from './restored-records.ts';
import { readSettings } from './settings.ts';

const { positionals } = readCommand({
  usage: `Usage: npm run restore -- DIR

Copies a backup into empty records: DATABASE_URL, or else DATA_DIR. Run it before the first start of the service, with the
secret keys that the backup names in TROUPE_SECRET_KEY or the key file, unless the backup holds them.`,
  positionals: { min: 1, max: 1 },
});
try {
  const done = await restoreRecords(readSettings(), positionals[0] ?? '');
  process.stdout.write(`${restoreText(done)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
