import type { Database, Transaction } from './database.ts';

/** Runs in a transaction of its own, or in the one that `db` is. */
export const transact = <Result>(
  db: Database,
  run: (trx: Transaction) => Promise<Result>,
): Promise<Result> => (isTransaction(db) ? run(db) : db.transaction().execute(run));

export const isTransaction = (db: Database): db is Transaction => db.isTransaction;
