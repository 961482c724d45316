/*
 * The only place that knows which database is used.
 * Inside a transaction use only its executor: SQLite has one connection, so `db` would deadlock.
 */
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { Kysely, type Transaction as KyselyTransaction } from 'kysely';
import { OperatorError } from '#shared/process/operator-error.ts';
import {
  isPostgresAway,
  isPostgresBrokenReference,
  isPostgresDuplicate,
  postgresDialect,
} from './postgres.ts';
import {
  isSqliteAway,
  isSqliteBrokenReference,
  isSqliteDuplicate,
  sqliteDialect,
} from './sqlite.ts';
import type { Tables } from './tables/tables.ts';

export type Database = Kysely<Tables>;
export type Transaction = KyselyTransaction<Tables>;

/**
 * Opens PostgreSQL at `url`, SQLite in `dataDir`, or SQLite in memory for tests. Close with
 * `destroy()`.
 */
export function openDatabase(where: { url: string } | { dataDir: string } | 'memory'): Database {
  if (where === 'memory') return new Kysely<Tables>({ dialect: sqliteDialect(':memory:') });
  if ('url' in where) return new Kysely<Tables>({ dialect: postgresDialect(where.url) });
  mkdirSync(where.dataDir, { recursive: true, mode: 0o700 });
  const file = recordsFile(where.dataDir);
  // SQLite would create the file readable by others.
  closeSync(openSync(file, 'a', 0o600));
  return new Kysely<Tables>({ dialect: sqliteDialect(file) });
}

/** SQLite's file. */
const recordsFile = (dataDir: string): string => path.join(dataDir, 'troupe.sqlite');

/**
 * For commands that mean a service which has been started before. Throws if the folder holds no
 * records, so that a command in the wrong folder does not create empty ones.
 */
export function openExistingDatabase(where: { url: string } | { dataDir: string }): Database {
  if ('dataDir' in where && !existsSync(recordsFile(where.dataDir))) {
    throw new OperatorError(
      `There are no records in ${path.resolve(where.dataDir)}: run this command in the folder of the service, or set DATA_DIR to its data folder. \`troupe doctor\` finds a service that runs on this machine. Before the first start there are no records.`,
    );
  }
  return openDatabase(where);
}

/** The row violates a primary key or unique index. */
export const isDuplicate = (error: unknown): boolean =>
  isSqliteDuplicate(error) || isPostgresDuplicate(error);

/** A statement violates a foreign key. */
export const isBrokenReference = (error: unknown): boolean =>
  isSqliteBrokenReference(error) || isPostgresBrokenReference(error);

/** The database is unreachable, or its disk is full or fails; the caller may retry. */
export const isAway = (error: unknown): boolean => isSqliteAway(error) || isPostgresAway(error);
