/* npm run migrate: brings the records' tables up to date. The service does the same whenever it starts. */
import { loadConfig, recordsPlace } from '../../config.ts';
import { openDatabase } from '../../records/engine/database.ts';
import { migrate } from '../../records/migrations/migrate.ts';

const database = openDatabase(recordsPlace(loadConfig(process.env)));
try {
  const done = await migrate(database);
  process.stdout.write(done.length > 0 ? `${done.join('\n')}\n` : 'The records are up to date.\n');
} finally {
  await database.destroy();
}
