/*
 * API keys of the first account, straight in the records of this machine, also while the service
 * runs.
 */
import { randomBytes } from 'node:crypto';
import { systemClock } from '#shared/clock.ts';
import { apiKeys, type MadeKey } from '../../accounts/keys.ts';
import { recordsPlace, type Config } from '../../config.ts';
import { accountLists } from '../../records/accounts/account-lists.ts';
import { accountRecords } from '../../records/accounts/accounts.ts';
import {
  apiKeyRecords,
  type ApiKeyRecord,
  type KeyLimits,
  type KeyScope,
} from '../../records/accounts/api-keys.ts';
import { addCommandEntry } from '../../records/audit/command-entries.ts';
import { openExistingDatabase, type Database } from '../../records/engine/database.ts';
import { Lists } from '../../records/engine/pages.ts';
import { migrate } from '../../records/migrations/migrate.ts';

/** `command`: its name in the audit log. */
type NewKey = { name: string; scope: KeyScope; limits: KeyLimits; command: string };

const PAGE = 50;

export const createLocalKey = (
  settings: Config,
  { name, scope, limits, command }: NewKey,
): Promise<MadeKey> =>
  inTransaction(settings, async (trx, accountId) => {
    const accounts = accountRecords(trx);
    const keys = apiKeys({ accounts, keys: apiKeyRecords(trx), clock: systemClock });
    const newKey = await keys.make(name, { accountId, scope, ...limits });
    const { id: targetId, createdAt } = newKey;
    await addCommandEntry(trx, {
      command,
      action: 'api_key.created',
      targetId,
      accountId,
      createdAt,
    });
    return newKey;
  });

/** Most recent first, including revoked keys. */
export const listLocalKeys = (settings: Config): Promise<ApiKeyRecord[]> =>
  inTransaction(settings, async (trx, accountId) => {
    // Cursors that never leave this process need no lasting secret.
    const lists = accountLists(trx, new Lists(randomBytes(32)));
    const keys: ApiKeyRecord[] = [];
    let cursor: string | null = null;
    do {
      const { data, nextCursor } = await lists.keys(accountId, { limit: PAGE, cursor });
      keys.push(...data);
      cursor = nextCursor;
    } while (cursor !== null);
    return keys;
  });

/** False if there is no such key. A running service refuses it within a second. */
export const revokeLocalKey = (
  settings: Config,
  { id, command }: { id: string; command: string },
): Promise<boolean> =>
  inTransaction(settings, async (trx, accountId) => {
    const createdAt = systemClock.now();
    const isRevoked = await apiKeyRecords(trx).revoke(accountId, id, createdAt);
    const entry = { command, action: 'api_key.revoked', targetId: id, accountId, createdAt };
    if (isRevoked) await addCommandEntry(trx, entry);
    return isRevoked;
  });

export async function inTransaction<Result>(
  settings: Config,
  work: (trx: Database, accountId: string) => Promise<Result>,
): Promise<Result> {
  const database = openExistingDatabase(recordsPlace(settings));
  try {
    await migrate(database);
    return await database.transaction().execute(async (trx) => {
      const { id } = await accountRecords(trx).first(systemClock.now());
      return work(trx, id);
    });
  } finally {
    await database.destroy();
  }
}
