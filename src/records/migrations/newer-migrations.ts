/*
 * Control planes of two versions in a row share one database during an upgrade, and the older one
 * may start again on it. So a migration only expands: it adds tables, indexes, columns that may be
 * null or have a default, and triggers that copy rows to where newer versions read them. A contract
 * removes what no version in use needs:
 *
 *   NNNN-contract-MMMM-what.ts   versions with the migration MMMM no longer need what this removes
 *
 * A version accepts migrations that it does not know, except contracts beyond its last migration.
 * `test/lint/migrations.test.ts` refuses a migration that removes without being a contract.
 */
import { sql } from 'kysely';
import type { Database } from '../engine/database.ts';

const CONTRACT = /^\d{4}-contract-(\d{4})-/;

/** The number of the migration that a version must know. Null: not a contract. */
export const contractedFor = (name: string): string | null => CONTRACT.exec(name)?.[1] ?? null;

/** Names of all migrations that the database has seen, oldest first. */
export async function executedMigrations(db: Database): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map(({ name }) => name).toSorted();
}

/** Migrations of newer versions. Throws if this version cannot use what they left. */
export function newerMigrations(executed: string[], knownNames: string[]): string[] {
  const lastName = knownNames.at(-1) ?? '';
  const newer = executed.filter((name) => name > lastName);
  for (const name of newer) {
    const needed = contractedFor(name);
    if (needed !== null && lastName.slice(0, needed.length) < needed)
      throw new Error(
        `A newer version has removed from the database what this one needs (${name}). Start a version that knows the migration ${needed}.`,
      );
  }
  return newer;
}
