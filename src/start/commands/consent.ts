import { systemClock } from '#shared/clock.ts';
import { command, runAsProgram } from '#shared/process/command.ts';
import { accountRecords } from '../../records/accounts/accounts.ts';
import { addCommandEntry } from '../../records/audit/command-entries.ts';
import { inTransaction } from './local-keys.ts';
import { readSettings } from './settings.ts';

export const consent = command(
  {
    usage: `Usage: npm run consent -- --statement TEXT | --withdraw

Records that the people in pictures sent with the first account's sessions consent to avatars of them. Only then are such
pictures used. Works while the service runs.
  --statement TEXT  who consents, in your own words
  --withdraw        withdraws the statement`,
    options: { statement: { type: 'string' }, withdraw: { type: 'boolean', default: false } },
  },
  async ({ values, refuse }, { env }) => {
    const statement = values.statement?.trim() ?? '';
    if (values.withdraw === (statement !== ''))
      refuse('Give either --statement TEXT or --withdraw.');
    await inTransaction(readSettings(env), async (trx, id) => {
      await accountRecords(trx).change(id, { pictureConsent: values.withdraw ? null : statement });
      await addCommandEntry(trx, {
        command: 'npm run consent',
        action: 'account.updated',
        targetId: id,
        accountId: id,
        createdAt: systemClock.now(),
      });
    });
    return values.withdraw
      ? 'Pictures sent with sessions are no longer used.\n'
      : 'Pictures sent with sessions become avatars from now on.\n';
  },
);

await runAsProgram(import.meta.url, consent);
