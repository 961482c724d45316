import { command, runAsProgram } from '#shared/process/command.ts';
import { recordsPlace } from '../../config.ts';
import { openDatabase } from '../../records/engine/database.ts';
import * as migrations from '../../records/migrations/migrate.ts';
import { readSettings } from './settings.ts';

export const migrate = command(
  {
    usage: `Usage: npm run migrate

Brings the tables in DATABASE_URL, or else in DATA_DIR, up to date. The control plane does the same when it starts.`,
  },
  async (_, { env }) => {
    const database = openDatabase(recordsPlace(readSettings(env)));
    try {
      const done = await migrations.migrate(database);
      return done.length > 0 ? `${done.join('\n')}\n` : 'The records are up to date.\n';
    } finally {
      await database.destroy();
    }
  },
);

await runAsProgram(import.meta.url, migrate);
