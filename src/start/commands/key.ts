import { systemClock } from '#shared/clock.ts';
import { readCommand } from '#shared/command-line.ts';
import { apiKeys } from '../../accounts/keys.ts';
import { recordsPlace } from '../../config.ts';
import { accountRecords } from '../../records/accounts.ts';
import { apiKeyRecords } from '../../records/api-keys.ts';
import { addCommandEntry } from '../../records/audit/command-entries.ts';
import { openDatabase } from '../../records/engine/database.ts';
import { migrate } from '../../records/migrations/migrate.ts';
import { readSettings } from './settings.ts';

const { values, refuse } = readCommand({
  usage: `Usage: npm run key -- --name NAME [--scope all|operator]

Makes an API key of the first account and prints it once. Works while the service runs.
  --name NAME    what the key is for
  --scope SCOPE  all (default), or operator: /metrics and /v1/fleet only`,
  options: { name: { type: 'string' }, scope: { type: 'string', default: 'all' } },
});
const name = values.name || refuse('--name is missing.');
const scope = isScope(values.scope) ? values.scope : refuse(`There is no scope '${values.scope}'.`);

const database = openDatabase(recordsPlace(readSettings()));
try {
  await migrate(database);
  const accounts = accountRecords(database);
  const keys = apiKeys({ accounts, keys: apiKeyRecords(database), clock: systemClock });
  const { id: accountId } = await accounts.first(systemClock.now());
  const { text, id: targetId, createdAt } = await keys.make(name, { accountId, scope });
  const made = { action: 'api_key.created', targetId, accountId, createdAt };
  await addCommandEntry(database, { command: 'npm run key', ...made });
  process.stdout.write(`${text}\n`);
} finally {
  await database.destroy();
}

function isScope(text: string): text is 'all' | 'operator' {
  return text === 'all' || text === 'operator';
}
