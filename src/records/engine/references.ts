/*
 * Agents refer to avatars, knowledge files and external APIs. Writing a reference first checks that
 * its target exists, and deleting a target that nothing refers to it, each in its transaction, so
 * that the caller gets a clear fault. On PostgreSQL two such transactions can pass each other's
 * check; the foreign key then rejects the later one.
 */
import { Fault } from '../../errors.ts';
import { isBrokenReference, type Database, type Transaction } from './database.ts';
import { isTransaction, transact } from './transact.ts';

/**
 * Repeats a transaction that a foreign key rejected: its check now sees the other transaction.
 * Within a transaction the outermost one is repeated.
 */
export async function transactReferences<Result>(
  db: Database,
  run: (trx: Transaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await transact(db, run);
  } catch (error) {
    if (isTransaction(db) || !isBrokenReference(error)) throw error;
    return transact(db, run);
  }
}

export const MAX_NAMED_AGENTS = 100;

export function refuseIfUsed(agents: { id: string }[]): void {
  if (agents.length === 0) return;
  throw new Fault('conflict', {
    detail: 'An agent refers to it. Detach it from the agents first.',
    about: { agent_id: agents.map(({ id }) => id) },
  });
}
