import { readCommand } from '#shared/process/command-line.ts';
import { exitFailed } from '#shared/process/operator-error.ts';
import { recordsPlace } from '../../config.ts';
import { openDatabase } from '../../records/engine/database.ts';
import { migrate } from '../../records/migrations/migrate.ts';
import { readSettings } from './settings.ts';

readCommand({
  usage: `Usage: npm run migrate

Brings the tables in DATABASE_URL, or else in DATA_DIR, up to date. The control plane does the same when it starts.`,
});

const database = openDatabase(recordsPlace(readSettings()));
try {
  const done = await migrate(database);
  process.stdout.write(done.length > 0 ? `${done.join('\n')}\n` : 'The records are up to date.\n');
} catch (error) {
  exitFailed(error);
} finally {
  await database.destroy();
}
