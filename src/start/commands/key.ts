/* npm run key -- --name NAME [--scope operator]: makes an API key of the first account and shows it, this once. Works while the service runs. */
import { parseArgs } from 'node:util';
import { systemClock } from '#shared/clock.ts';
import { apiKeys } from '../../accounts/keys.ts';
import { loadConfig, recordsPlace } from '../../config.ts';
import { accountRecords } from '../../records/accounts.ts';
import { apiKeyRecords } from '../../records/api-keys.ts';
import { openDatabase } from '../../records/engine/database.ts';
import { migrate } from '../../records/migrations/migrate.ts';

const { values } = parseArgs({
  options: { name: { type: 'string' }, scope: { type: 'string', default: 'all' } },
});
const { name, scope } = values;
if (!name || (scope !== 'all' && scope !== 'operator')) {
  process.stderr.write('Say what the key is for: npm run key -- --name NAME [--scope operator]\n');
  process.exit(2);
}

const database = openDatabase(recordsPlace(loadConfig(process.env)));
try {
  await migrate(database);
  const accounts = accountRecords(database);
  const keys = apiKeys({ accounts, keys: apiKeyRecords(database), clock: systemClock });
  const { id: accountId } = await accounts.first(systemClock.now());
  const { text } = await keys.make(name, { accountId, scope });
  process.stdout.write(`${text}\n`);
} finally {
  await database.destroy();
}
