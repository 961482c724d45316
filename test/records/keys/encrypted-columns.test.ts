import { PostgresAdapter, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { backedUpTables } from '../../../src/records/backup/tables.ts';
import type { Database } from '../../../src/records/engine/database.ts';
import { encryptedColumns } from '../../../src/records/keys/encrypted-columns.ts';
import { newDatabase } from '../../support/records/database.ts';

let db: Database;
beforeEach(async () => {
  db = await newDatabase();
});
afterEach(() => db.destroy());

/** Types of all columns of the migrated tables, by `table.column`. */
async function schema(): Promise<Map<string, string>> {
  const tables = await db.introspection.getTables();
  return new Map(
    tables.flatMap(({ name: table, columns }) =>
      columns.map(({ name, dataType }) => [`${table}.${name}`, dataType.toLowerCase()] as const),
    ),
  );
}

async function primaryKeyOf(table: string): Promise<string[]> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const { rows } = await (
    isPostgres
      ? sql<{ name: string }>`
          select attname as name from pg_index
          join pg_attribute on attrelid = indrelid and attnum = any(indkey)
          where indrelid = ${table}::regclass and indisprimary`
      : sql<{ name: string }>`select name from pragma_table_info(${table}) where pk > 0`
  ).execute(db);
  return rows.map(({ name }) => name).sort();
}

const listed = encryptedColumns.map(({ table, column }) => `${table}.${column}`);

describe('the encrypted columns', () => {
  test('include every sealed column of the schema', async () => {
    const sealed = [...(await schema()).keys()].filter((name) => name.endsWith('_sealed'));

    expect(listed.filter((name) => name.endsWith('_sealed')).sort()).toEqual(sealed.sort());
    expect(sealed).toContain('audit_entries.before_sealed');
    expect(sealed).toContain('webhooks.former_secret_sealed');
  });

  test('exist with the listed types', async () => {
    const types = await schema();

    for (const { table, column, type } of encryptedColumns) {
      const expected = type === 'text' ? ['text'] : ['blob', 'bytea'];
      expect(expected, `${table}.${column}`).toContain(types.get(`${table}.${column}`));
    }
    expect(new Set(listed).size).toBe(listed.length);
  });

  test('are found by the primary keys of their tables, like the rows of a backup', async () => {
    const keyed = [
      ...encryptedColumns.map(({ table, key }) => ({ name: table, key })),
      ...backedUpTables,
    ];
    for (const { name, key } of keyed) {
      expect([...(key ?? [])].sort(), name).toEqual(await primaryKeyOf(name));
    }
  });
});
