import type { Transaction } from './database.ts';

/**
 * Counts the account's rows. Locks the account until the transaction ends, so that concurrent
 * inserts are counted one after another.
 */
export async function countInTurn(
  trx: Transaction,
  table: 'avatars' | 'webhooks',
  accountId: string,
): Promise<number> {
  await trx.updateTable('accounts').set({ id: accountId }).where('id', '=', accountId).execute();
  const { count } = await trx
    .selectFrom(table)
    .select((select) => select.fn.countAll().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
