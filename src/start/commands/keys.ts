import { systemClock } from '#shared/clock.ts';
import { command, runAsProgram } from '#shared/process/command.ts';
import { OperatorError } from '#shared/process/operator-error.ts';
import { recordsPlace, type Config } from '../../config.ts';
import { addCommandEntry } from '../../records/audit/command-entries.ts';
import { blobFiles } from '../../records/blobs.ts';
import { openExistingDatabase, type Database } from '../../records/engine/database.ts';
import { keySource, newKey } from '../../records/keys/key-source.ts';
import { openKeyring } from '../../records/keys/open-keyring.ts';
import { listKeys, removeKey, rotateKey, type KeyList } from '../../records/keys/rotation.ts';
import { migrate } from '../../records/migrations/migrate.ts';
import { readSettings } from './settings.ts';

export const keys = command(
  {
    usage: `Usage: npm run keys -- list | new | rotate | remove ID

The secret keys that encrypt the records. Works while the service runs.
  list       shows the keys and how many values each encrypts
  new        prints a new key, for TROUPE_SECRET_KEY
  rotate     encrypts with another key from now on: an unused one of TROUPE_SECRET_KEY, or else a new one in the key
             file. The running service re-encrypts all values in the background.
  remove ID  removes a key that encrypts no value from the key file`,
    positionals: { min: 1, max: 2 },
  },
  async ({ positionals, refuse }, { env }) => {
    const action = toAction(positionals, refuse);
    return action.type === 'new'
      ? `${newKey().toString('base64')}\n`
      : inRecords(action, readSettings(env));
  },
);

async function inRecords(action: RecordsAction, settings: Config): Promise<string> {
  const place = recordsPlace(settings);
  const source = keySource(settings);
  const database = openExistingDatabase(place);
  try {
    await migrate(database);
    await openKeyring(database, source, systemClock.now());
    const files = blobFiles(place);
    switch (action.type) {
      case 'list':
        return table(await listKeys(database, files, source));
      case 'rotate':
        return rotatedText(
          await database.transaction().execute(async (trx) => {
            const id = await rotateKey(trx, source, systemClock.now());
            if (id !== null) await audit(trx, 'secret_key.rotated', id);
            return id;
          }),
        );
      case 'remove': {
        const { id } = action;
        const onRemoving = () => audit(database, 'secret_key.removed', id);
        const problem = await removeKey(database, files, source, id, onRemoving);
        if (problem !== null) throw new OperatorError(problem);
        return '';
      }
    }
  } finally {
    await database.destroy();
  }
}

type RecordsAction = { type: 'list' } | { type: 'rotate' } | { type: 'remove'; id: string };

function toAction(
  [name, id]: string[],
  refuse: (problem: string) => never,
): RecordsAction | { type: 'new' } {
  if (name === 'remove') return { type: name, id: id ?? refuse('The id of the key is missing.') };
  if (id !== undefined) return refuse(`Unexpected argument '${id}'.`);
  if (name === 'list' || name === 'new' || name === 'rotate') return { type: name };
  return refuse(`There is no command '${name}'.`);
}

function audit(db: Database, action: string, targetId: string): Promise<void> {
  return addCommandEntry(db, {
    command: 'npm run keys',
    action,
    targetId,
    accountId: null,
    createdAt: systemClock.now(),
  });
}

function rotatedText(id: string | null): string {
  if (id !== null)
    return (
      `${id} is the current key. The running service re-encrypts all values in the background; keep the other keys ` +
      'until `npm run keys -- list` shows 0 values for them, and for as long as you keep backups from before.\n'
    );
  throw new OperatorError(
    'TROUPE_SECRET_KEY has no unused key. Append one to it, after a comma, at every control plane ' +
      '(`npm run keys -- new` prints one), restart them and try again.',
  );
}

function table({ keys, earlier, clear }: KeyList): string {
  const rows = [
    ['KEY', 'STATE', 'VALUES'],
    ...keys.map(({ id, state, isGiven, values }) => [
      id,
      isGiven || state === 'retired' ? state : 'missing',
      String(values),
    ]),
    ...(earlier > 0 ? [['-', 'earlier version', String(earlier)]] : []),
    ...(clear > 0 ? [['-', 'in clear', String(clear)]] : []),
  ];
  return rows
    .map(([key = '', state = '', values = '']) => `${key.padEnd(10)}${state.padEnd(17)}${values}\n`)
    .join('');
}

await runAsProgram(import.meta.url, keys);
