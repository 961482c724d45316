import { createHash } from 'node:crypto';
import { accountRecords } from '../../src/records/accounts/accounts.ts';
import { apiKeyRecords } from '../../src/records/accounts/api-keys.ts';
import { openDatabase } from '../../src/records/engine/database.ts';
import { OPERATOR_KEY } from './names.ts';

/** Gives the first account a key with access to the fleet. */
export async function addOperatorKey(databaseUrl: string): Promise<void> {
  const database = openDatabase({ url: databaseUrl });
  const { id: accountId } = await accountRecords(database).first(0);
  const hash = createHash('sha256').update(OPERATOR_KEY).digest('hex');
  const key = { accountId, name: 'operator', scope: 'operator' as const, hash, createdAt: 0 };
  await apiKeyRecords(database).add(key);
  await database.destroy();
}
