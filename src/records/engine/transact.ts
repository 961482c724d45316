import type { Database, Transaction } from './database.ts';

/** Runs in a new transaction, or in `db` if that is one. */
export const transact = <Result>(
  db: Database,
  run: (trx: Transaction) => Promise<Result>,
): Promise<Result> => (isTransaction(db) ? run(db) : db.transaction().execute(run));

export const isTransaction = (db: Database): db is Transaction => db.isTransaction;
