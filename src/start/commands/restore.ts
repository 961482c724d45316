import { command, runAsProgram } from '#shared/process/command.ts';
import { restoreRecords, restoreText } from './restored-records.ts';
import { readSettings } from './settings.ts';

export const restore = command(
  {
    usage: `Usage: npm run restore -- DIR

Copies a backup into empty records: DATABASE_URL, or else DATA_DIR. Run it before the first start of the service, with the
secret keys that the backup names in TROUPE_SECRET_KEY or the key file, unless the backup holds them.`,
    positionals: { min: 1, max: 1 },
  },
  async ({ positionals: [folder = ''] }, { env }) => {
    const done = await restoreRecords(readSettings(env), folder);
    return `${restoreText(done)}\n`;
  },
);

await runAsProgram(import.meta.url, restore);
