/*
 * npm run consent -- --statement TEXT: the first account states that the people in pictures which come with its sessions agree; then those
 * become avatars. --withdraw takes it back. Works while the service runs.
 */
import { parseArgs } from 'node:util';
import { systemClock } from '#shared/clock.ts';
import { loadConfig, recordsPlace } from '../../config.ts';
import { accountRecords } from '../../records/accounts.ts';
import { openDatabase } from '../../records/engine/database.ts';
import { migrate } from '../../records/migrations/migrate.ts';

const { values } = parseArgs({
  options: { statement: { type: 'string' }, withdraw: { type: 'boolean', default: false } },
});
const statement = values.statement?.trim() ?? '';
if (values.withdraw === (statement !== '')) {
  process.stderr.write(
    'Say who agrees, in your own words: npm run consent -- --statement TEXT, or take it back: --withdraw\n',
  );
  process.exit(2);
}

const database = openDatabase(recordsPlace(loadConfig(process.env)));
try {
  await migrate(database);
  const accounts = accountRecords(database);
  const { id } = await accounts.first(systemClock.now());
  await accounts.change(id, { pictureConsent: values.withdraw ? null : statement });
  process.stdout.write(
    values.withdraw
      ? 'Pictures that come with sessions are not used any more.\n'
      : 'Pictures that come with sessions become avatars from now on.\n',
  );
} finally {
  await database.destroy();
}
