/*
 * Agents refer to knowledge files and external APIs. Whoever writes a reference checks first that its target is there, and whoever deletes a
 * target checks that nobody refers to it; each inside its transaction, so that the caller gets a sentence and not the database's error. On
 * PostgreSQL two such transactions may still pass each other's check: then the foreign key refuses the later one.
 */
import { Fault } from '../../errors.ts';
import { isBrokenReference, type Database, type Transaction } from './database.ts';

/** Runs once more what a foreign key refused: the second time its check sees what the first one could not. */
export async function transactReferences<Result>(
  db: Database,
  run: (trx: Transaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.transaction().execute(run);
  } catch (error) {
    if (!isBrokenReference(error)) throw error;
    return db.transaction().execute(run);
  }
}

/** Enough to say who is in the way. */
export const MAX_NAMED_AGENTS = 100;

export function refuseIfUsed(agents: { id: string }[]): void {
  if (agents.length === 0) return;
  throw new Fault('conflict', {
    detail: 'An agent refers to it. Detach it from the agents first.',
    about: { agent_id: agents.map(({ id }) => id) },
  });
}
