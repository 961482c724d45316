import { command, runAsProgram } from '#shared/process/command.ts';
import { backupText, backUpRecords } from './backed-up-records.ts';
import { readSettings } from './settings.ts';

export const backup = command(
  {
    usage: `Usage: npm run backup -- DIR [--with-keys]

Copies the records at one moment into DIR, which must be new or empty: all tables, pictures and avatar bundles. Works while
the service runs, with SQLite and PostgreSQL. The copy stays encrypted and names the secret keys that it needs.
  --with-keys  adds the secret keys: anyone who has the backup can then read it`,
    options: { 'with-keys': { type: 'boolean', default: false } },
    positionals: { min: 1, max: 1 },
  },
  async ({ values, positionals: [folder = ''] }, { env }) => {
    const request = { folder, withKeys: values['with-keys'] };
    const done = await backUpRecords(readSettings(env), request);
    return `${backupText(done).join('\n')}\n`;
  },
);

await runAsProgram(import.meta.url, backup);
