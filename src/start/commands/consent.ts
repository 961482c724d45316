import { systemClock } from '#shared/clock.ts';
import { readCommand } from '#shared/process/command-line.ts';
import { exitFailed } from '#shared/process/operator-error.ts';
import { recordsPlace } from '../../config.ts';
import { accountRecords } from '../../records/accounts.ts';
import { addCommandEntry } from '../../records/audit/command-entries.ts';
import { openDatabase } from '../../records/engine/database.ts';
import { migrate } from '../../records/migrations/migrate.ts';
import { readSettings } from './settings.ts';

const { values, refuse } = readCommand({
  usage: `Usage: npm run consent -- --statement TEXT | --withdraw

Records that the people in pictures sent with the first account's sessions consent to avatars of them. Only then are such
pictures used. Works while the service runs.
  --statement TEXT  who consents, in your own words
  --withdraw        withdraws the statement`,
  options: { statement: { type: 'string' }, withdraw: { type: 'boolean', default: false } },
});
const statement = values.statement?.trim() ?? '';
if (values.withdraw === (statement !== '')) refuse('Give either --statement TEXT or --withdraw.');

const database = openDatabase(recordsPlace(readSettings()));
try {
  await migrate(database);
  await database.transaction().execute(async (trx) => {
    const accounts = accountRecords(trx);
    const { id } = await accounts.first(systemClock.now());
    await accounts.change(id, { pictureConsent: values.withdraw ? null : statement });
    await addCommandEntry(trx, {
      command: 'npm run consent',
      action: 'account.updated',
      targetId: id,
      accountId: id,
      createdAt: systemClock.now(),
    });
  });
  process.stdout.write(
    values.withdraw
      ? 'Pictures sent with sessions are no longer used.\n'
      : 'Pictures sent with sessions become avatars from now on.\n',
  );
} catch (error) {
  exitFailed(error);
} finally {
  await database.destroy();
}
