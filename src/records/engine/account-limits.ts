import { sql } from 'kysely';
import { Fault } from '../../errors.ts';
import type { Database, Transaction } from './database.ts';

/** Storage limits of an account; null: no limit. */
export type StorageLimits = {
  /** Knowledge files and custom avatars together. */
  bytes: number | null;
  knowledgeFiles: number | null;
  avatars: number | null;
  agents: number | null;
  externalApis: number | null;
};

export const NO_LIMITS: StorageLimits = {
  bytes: null,
  knowledgeFiles: null,
  avatars: null,
  agents: null,
  externalApis: null,
};

const MIB = 1024 ** 2;

type Counted = 'agents' | 'avatars' | 'external_apis' | 'knowledge_files' | 'webhooks';

/**
 * Counts the account's rows. Locks the account until the transaction ends, so that concurrent
 * inserts are counted one after another.
 */
export async function countInTurn(
  trx: Transaction,
  table: Counted,
  accountId: string,
): Promise<number> {
  await lockAccount(trx, accountId);
  return countOf(trx, table, accountId);
}

export async function countOf(
  db: Database | Transaction,
  table: Counted,
  accountId: string,
): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .select((select) => select.fn.countAll().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Throws `conflict` if the account may not store so many bytes more. `most`: null for no limit. */
export async function checkBytes(
  db: Database | Transaction,
  accountId: string,
  added: number,
  most: number | null,
): Promise<void> {
  if (most === null || (await storedBytes(db, accountId)) + added <= most) return;
  throw beyondPlan(`${most / MIB} MiB of knowledge files and custom avatars`, 'some');
}

/** Throws `conflict` if `count` things of a kind are all that the plan includes. */
export function checkCount(count: number, most: number | null, kind: string): void {
  if (most === null || count < most) return;
  throw beyondPlan(`${most} ${kind}${most === 1 ? '' : 's'}`, 'one');
}

/** `checkCount` and `countInTurn`. */
export async function checkCountInTurn(
  trx: Transaction,
  table: Counted,
  accountId: string,
  most: number | null,
  kind: string,
): Promise<void> {
  if (most === null) return;
  checkCount(await countInTurn(trx, table, accountId), most, kind);
}

const beyondPlan = (allowance: string, toDelete: string): Fault =>
  new Fault('conflict', {
    detail: `Your plan includes ${allowance}. Delete ${toDelete} or upgrade your plan.`,
  });

/** Until the transaction ends. Take it before a lock of a row of the account. */
export async function lockAccount(trx: Transaction, accountId: string): Promise<void> {
  await trx.updateTable('accounts').set({ id: accountId }).where('id', '=', accountId).execute();
}

async function storedBytes(db: Database | Transaction, accountId: string): Promise<number> {
  const files = await db
    .selectFrom('knowledge_files')
    .select((select) => select.fn.sum('size').as('bytes'))
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const avatars = await db
    .selectFrom('avatars')
    .innerJoin('blobs', (join) =>
      join.on(
        sql<boolean>`blobs.hash in (picture_hash, background_hash, bundle_hash, portrait_hash)`,
      ),
    )
    .select((select) => select.fn.sum('blobs.size').as('bytes'))
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return Number(files?.bytes ?? 0) + Number(avatars?.bytes ?? 0);
}
