import { readCommand } from '#shared/process/command-line.ts';
import { backupText, backUpRecords } from './backed-up-records.ts';
import { readSettings } from './settings.ts';

const { values, positionals } = readCommand({
  usage: `Usage: npm run backup -- DIR [--with-keys]

Copies the records at one moment into DIR, which must be new or empty: all tables, pictures and avatar bundles. Works while
the service runs, with SQLite and PostgreSQL. The copy stays encrypted and names the secret keys that it needs.
  --with-keys  adds the secret keys: whoever has the backup can then read it`,
  options: { 'with-keys': { type: 'boolean', default: false } },
  positionals: { min: 1, max: 1 },
});
try {
  const request = { folder: positionals[0] ?? '', withKeys: values['with-keys'] };
  const done = await backUpRecords(readSettings(), request);
  process.stdout.write(`${backupText(done).join('\n')}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
