import { readCommand } from '#shared/command-line.ts';
import { loadConfig, recordsPlace } from '../../config.ts';
import { openDatabase } from '../../records/engine/database.ts';
import { migrate } from '../../records/migrations/migrate.ts';

readCommand({
  usage: `Usage: npm run migrate

Brings the tables in DATABASE_URL, or else in DATA_DIR, up to date. The control plane does the same when it starts.`,
});

const database = openDatabase(recordsPlace(loadConfig(process.env)));
try {
  const done = await migrate(database);
  process.stdout.write(done.length > 0 ? `${done.join('\n')}\n` : 'The records are up to date.\n');
} finally {
  await database.destroy();
}
