/* npm run key -- --name NAME: makes an API key and shows it, this once. Works while the service runs. */
import { parseArgs } from 'node:util';
import { systemClock } from '#shared/clock.ts';
import { apiKeys } from '../accounts/keys.ts';
import { loadConfig, recordsPlace } from '../config.ts';
import { accountRecords } from '../records/accounts.ts';
import { apiKeyRecords } from '../records/api-keys.ts';
import { openDatabase } from '../records/database.ts';
import { migrate } from '../records/migrate.ts';

const { values } = parseArgs({ options: { name: { type: 'string' } } });
if (!values.name) {
  process.stderr.write('Say what the key is for: npm run key -- --name NAME\n');
  process.exit(2);
}

const database = openDatabase(recordsPlace(loadConfig(process.env)));
try {
  await migrate(database);
  const keys = apiKeys({
    accounts: accountRecords(database),
    keys: apiKeyRecords(database),
    clock: systemClock,
  });
  const { text } = await keys.make(values.name);
  process.stdout.write(`${text}\n`);
} finally {
  await database.destroy();
}
