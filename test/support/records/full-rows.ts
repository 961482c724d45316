/*
 * Rows for the tables of any version, derived from the database's own description. Every column is
 * filled, but the last row of a table leaves nullable columns null. References point to existing
 * rows. Rows differ in every column, so unique indexes hold.
 */
import { PostgresAdapter, sql, type Kysely } from 'kysely';
import type { Database } from '../../../src/records/engine/database.ts';

export type Row = Record<string, string | number | Uint8Array | null>;
type Column = { name: string; type: string; mayBeNull: boolean; refersTo: Reference | undefined };
type Reference = { table: string; column: string };
export type FullTable = { name: string; columns: Column[] };

/** Null, because the people here have accounts. */
const ADMIN_NAME = 'admin_name';

/** Tables come after the tables that they refer to. */
export async function tablesOf(db: Database): Promise<FullTable[]> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const references = isPostgres ? postgresReferences : sqliteReferences;
  const tables: FullTable[] = [];
  for (const { name, columns } of await db.introspection.getTables()) {
    const tableReferences = await references(db, name);
    const keys = isPostgres ? [] : await sqliteKeys(db, name);
    tables.push({
      name,
      columns: columns.map(({ name, dataType, isNullable }) => ({
        name,
        type: dataType.toLowerCase(),
        mayBeNull: isNullable && !keys.includes(name),
        refersTo: tableReferences.get(name),
      })),
    });
  }
  return inOrder(tables);
}

/** SQLite allows null in a text primary key. */
async function sqliteKeys(db: Database, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from pragma_table_info(${table}) where pk > 0`.execute(db);
  return rows.map(({ name }) => name);
}

type ReferenceRow = { from: string; to_table: string; to_column: string };

async function sqliteReferences(db: Database, table: string) {
  const { rows } = await sql<ReferenceRow>`
    select "from", "table" as to_table, "to" as to_column
    from pragma_foreign_key_list(${table})`.execute(db);
  return byColumn(rows);
}

async function postgresReferences(db: Database, table: string) {
  const { rows } = await sql<ReferenceRow>`
    select own.attname as from, other.relname as to_table, theirs.attname as to_column
    from pg_constraint as c
    join pg_attribute as own on own.attrelid = c.conrelid and own.attnum = c.conkey[1]
    join pg_class as other on other.oid = c.confrelid
    join pg_attribute as theirs on theirs.attrelid = c.confrelid and theirs.attnum = c.confkey[1]
    where c.contype = 'f' and c.conrelid = ${table}::regclass`.execute(db);
  return byColumn(rows);
}

const byColumn = (rows: ReferenceRow[]) =>
  new Map(rows.map((row) => [row.from, { table: row.to_table, column: row.to_column }]));

function inOrder(tables: FullTable[]): FullTable[] {
  const ordered: FullTable[] = [];
  const names = () => new Set(ordered.map(({ name }) => name));
  while (ordered.length < tables.length) {
    const orderedNames = names();
    const batch = tables.filter(
      ({ name, columns }) =>
        !orderedNames.has(name) &&
        columns.every(({ refersTo }) => !refersTo || orderedNames.has(refersTo.table)),
    );
    if (batch.length === 0) throw new Error('tables form a reference cycle');
    ordered.push(...batch);
  }
  return ordered;
}

/**
 * Fills every table with `count` rows and returns them by table. `known`: values of columns whose
 * text has a fixed form, one for each row in turn, by `table.column`.
 */
export async function fillTables(
  db: Database,
  count: number,
  known: Record<string, readonly string[]>,
): Promise<Map<string, Row[]>> {
  const rowsByTable = new Map<string, Row[]>();
  let number = 0;
  const tables = await tablesOf(db);
  const adminsArePeople = tables.some(({ columns }) =>
    columns.some(({ name }) => name === ADMIN_NAME),
  );
  for (const { name: table, columns } of tables) {
    // Triggers fill it from `people`.
    if (table === 'admins' && adminsArePeople) continue;
    const rows = Array.from({ length: count }, (_, i): Row => {
      const values = columns.map(({ name, type, mayBeNull, refersTo }): [string, Row[string]] => {
        if (mayBeNull && (i === count - 1 || name === ADMIN_NAME)) return [name, null];
        if (refersTo) return [name, rowsByTable.get(refersTo.table)![i]![refersTo.column]!];
        const knownValues = known[`${table}.${name}`];
        if (knownValues) return [name, knownValues[i % knownValues.length]!];
        return [name, valueOf(type, `${table}.${name}`, (number += 1))];
      });
      return Object.fromEntries(values);
    });
    const untyped = db as unknown as Kysely<Record<string, Row>>;
    await untyped.insertInto(table).values(rows).execute();
    rowsByTable.set(table, rows);
  }
  return rowsByTable;
}

function valueOf(type: string, where: string, number: number): Row[string] {
  switch (type) {
    case 'text':
      return `${where} ${number}: Zoë, 王, "\\'`;
    case 'integer':
    case 'int4':
      return number;
    case 'bigint':
    case 'int8':
      // Times in microseconds are this large.
      return 1_767_225_600_000_000 + number;
    case 'float8':
      return number + 0.5;
    case 'bytea':
      return Buffer.from([0, 255, 10, ...Buffer.from(where), number % 256]);
    default:
      throw new Error(`no value is known for ${where}, of type ${type}`);
  }
}
