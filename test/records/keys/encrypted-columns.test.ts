import { readdirSync } from 'node:fs';
import { PostgresAdapter, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { backedUpTables } from '../../../src/records/backup/tables.ts';
import type { Database } from '../../../src/records/engine/database.ts';
import { auditColumns } from '../../../src/records/engine/tables/audit-columns.ts';
import {
  callColumns,
  callMessageColumns,
} from '../../../src/records/engine/tables/call-columns.ts';
import type { Columns } from '../../../src/records/engine/tables/columns.ts';
import { keyedApiColumns } from '../../../src/records/engine/tables/external-api-columns.ts';
import { knowledgeTextColumns } from '../../../src/records/engine/tables/knowledge-file-columns.ts';
import { sessionColumns } from '../../../src/records/engine/tables/session-columns.ts';
import { webhookColumns } from '../../../src/records/engine/tables/webhook-columns.ts';
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

/** All that `recordRows` encrypts. The other encrypted columns name their place themselves. */
const sealedTables: Record<string, Columns> = {
  sessions: sessionColumns,
  external_apis: keyedApiColumns,
  knowledge_files: knowledgeTextColumns,
  calls: callColumns,
  call_messages: callMessageColumns,
  webhooks: webhookColumns,
  audit_entries: auditColumns,
};

const sealedColumnsOf = (table: Columns): string[] =>
  Object.values(table).flatMap(({ column, codec }) => (codec.seal ? [column] : []));

/** Every table whose columns are described, by the name of its constant. */
async function describedTables(): Promise<[string, Columns][]> {
  const folder = new URL('../../../src/records/engine/tables/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('-columns.ts'));
  const modules = await Promise.all(
    files.map((name) => import(new URL(name, folder).pathname) as Promise<Record<string, Columns>>),
  );
  return modules
    .flatMap((exports) => Object.entries(exports))
    .filter(([name]) => name.endsWith('Columns'));
}

const listed = encryptedColumns.map(({ table, column }) => `${table}.${column}`);

describe('the encrypted columns', () => {
  test.each(Object.entries(sealedTables))(
    'of %s are those that its description seals',
    (name, table) => {
      const columns = encryptedColumns.filter((each) => each.table === name);
      const texts = columns.filter(({ type }) => type === 'text').map(({ column }) => column);

      expect(sealedColumnsOf(table).sort()).toEqual(texts.sort());
    },
  );

  test('are compared with every description that seals a column', async () => {
    const tables = (await describedTables()).filter(([, table]) => sealedColumnsOf(table).length);

    const compared = Object.values(sealedTables);
    const names = tables.filter(([, table]) => !compared.includes(table)).map(([name]) => name);
    expect(names).toEqual([]);
    expect(tables).toHaveLength(compared.length);
  });

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
