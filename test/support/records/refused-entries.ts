import { PostgresAdapter, sql } from 'kysely';
import type { Database } from '../../../src/records/engine/database.ts';

/** The database refuses every new entry of the audit log until the result is called. */
export async function refuseEntries(db: Database): Promise<() => Promise<void>> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const action = isPostgres
    ? // Made by a migration.
      'for each row execute function refuse_audit_change()'
    : "begin select raise(abort, 'refused by the test'); end";
  await sql.raw(`create trigger refused before insert on audit_entries ${action}`).execute(db);
  return async () => {
    await sql.raw(`drop trigger refused${isPostgres ? ' on audit_entries' : ''}`).execute(db);
  };
}

const unused = { last_used_at: null, last_used_address: null };

/** The rows of all tables, in any order, without the uses of keys, which are written later. */
export async function rowsOf(db: Database): Promise<Record<string, string[]>> {
  const tables = await db.introspection.getTables();
  const rows = tables.map(async ({ name }) => {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db);
    return [
      name,
      rows.map((row) => JSON.stringify({ ...(row as object), ...unused })).toSorted(),
    ] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}
