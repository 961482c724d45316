/* Values of encrypted columns as they are stored, found by the key that encrypted them. */
import { sql } from 'kysely';
import type { Database } from '../engine/database.ts';
import {
  BYTES_PREFIX,
  bytesPrefix,
  keyIdOfBytes,
  textPrefix,
} from '../engine/encryption/encryptor.ts';
import type { EncryptedColumn } from './encrypted-columns.ts';

type Stored = string | Uint8Array;
/** Values of the primary key. */
export type RowKey = (string | number)[];

/**
 * Up to `count` rows whose value is in clear or encrypted with another key: in the order of the
 * primary key, after the row `position`.
 */
export async function staleRows(
  db: Database,
  { table, key, column, type }: EncryptedColumn,
  keyId: string,
  position: RowKey | null,
  count: number,
): Promise<RowKey[]> {
  const prefix = type === 'text' ? textPrefix(keyId) : bytesPrefix(keyId);
  const value = sql.ref(column);
  const row = refs(key);
  const { rows } = await sql<Record<string, string | number>>`
    select ${row} from ${sql.table(table)}
    where ${value} is not null and substr(${value}, 1, ${sql.lit(prefix.length)}) <> ${prefix}
      and ${position ? sql`(${row}) > (${sql.join(position)})` : sql`1 = 1`}
    order by ${row} limit ${sql.lit(count)}`.execute(db);
  return rows.map((storedRow) => key.map((name) => storedRow[name] as string | number));
}

/** Undefined if the row was deleted; null if the value is. */
export async function readValue(
  db: Database,
  { table, key, column }: EncryptedColumn,
  row: RowKey,
): Promise<Stored | null | undefined> {
  const { rows } = await sql<{ stored: Stored | null }>`
    select ${sql.ref(column)} as stored from ${sql.table(table)}
    where (${refs(key)}) = (${sql.join(row)})`.execute(db);
  return rows[0]?.stored;
}

/** False if the value has changed meanwhile. */
export async function replaceValue(
  db: Database,
  { table, key, column }: EncryptedColumn,
  row: RowKey,
  value: Stored,
  newValue: Stored,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${newValue}
    where (${refs(key)}) = (${sql.join(row)}) and ${sql.ref(column)} = ${value}`.execute(db);
  return numAffectedRows !== 0n;
}

/** `earlier`: encrypted by a version that did not name the key. */
export type ValueCounts = { byKey: Map<string, number>; earlier: number; clear: number };

export async function countValues(
  db: Database,
  columns: readonly EncryptedColumn[],
): Promise<ValueCounts> {
  const counts: ValueCounts = { byKey: new Map(), earlier: 0, clear: 0 };
  for (const { table, column, type } of columns) {
    const length = type === 'text' ? textPrefix('00000000').length : BYTES_PREFIX;
    const { rows } = await sql<{ prefix: Stored; count: number | string }>`
      select substr(${sql.ref(column)}, 1, ${sql.lit(length)}) as prefix, count(*) as count
      from ${sql.table(table)} where ${sql.ref(column)} is not null group by 1`.execute(db);
    for (const { prefix, count } of rows) addCount(counts, prefix, Number(count));
  }
  return counts;
}

/** `prefix`: how the stored values begin. */
export function addCount(counts: ValueCounts, prefix: Stored, count: number): void {
  const id = typeof prefix === 'string' ? keyIdOfPrefix(prefix) : keyIdOfBytes(prefix);
  if (id !== null) counts.byKey.set(id, (counts.byKey.get(id) ?? 0) + count);
  else if (typeof prefix === 'string' && prefix.startsWith('v1.')) counts.earlier += count;
  else counts.clear += count;
}

const refs = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));

const keyIdOfPrefix = (prefix: string): string | null =>
  /^v2\.([0-9a-f]{8})\.$/.exec(prefix)?.[1] ?? null;
