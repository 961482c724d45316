import type { Encryptor } from '../encryption/encryptor.ts';
import { placeOf, type EncryptedTable } from '../../keys/encrypted-columns.ts';
import type { ClearColumns, Columns, RecordOf, RowOf, Stored } from './columns.ts';

/** `encrypted-columns.ts` lists the sealed columns of `table`. */
type SealedTable = { table: EncryptedTable; encryptor: Encryptor };

/** Left out whatever a caller passes: a request must not move a record to another account. */
const UNCHANGED = { id: undefined, accountId: undefined, createdAt: undefined };

type Change<Table extends Columns> = {
  [Field in Exclude<keyof Table, keyof typeof UNCHANGED>]?: RecordOf<Table>[Field] | undefined;
};

type RecordRows<Table extends Columns> = {
  /** Columns of the fields that are present, without those that never change. */
  toColumns: (id: string, change: Change<Table>) => Partial<RowOf<Table>>;
  toRow: (record: RecordOf<Table>) => RowOf<Table>;
  /** Sealed fields are decrypted on access, as most readers never use them. */
  toRecord: (row: RowOf<Table>) => RecordOf<Table>;
};

/** Converts records. Those with sealed fields have an `id`, which is part of their place. */
export function recordRows<Table extends ClearColumns>(columns: Table): RecordRows<Table>;
export function recordRows<Table extends Columns & Pick<Columns, 'id'>>(
  columns: Table,
  sealing: SealedTable,
): RecordRows<Table>;
export function recordRows(columns: Columns, sealing?: SealedTable): RecordRows<Columns> {
  const fields = Object.entries(columns);
  const placeIn = (column: string, id: unknown) =>
    placeOf(sealing!.table, column as never, id as string);

  function write({ column, codec }: Columns[string], id: unknown, value: unknown): Stored {
    const stored = codec.encode(value as never);
    if (codec.seal === undefined || stored === null) return stored;
    return sealing!.encryptor.encrypt(String(stored), placeIn(column, id));
  }

  function unseal({ column, codec }: Columns[string], id: unknown, stored: Stored): unknown {
    if (stored === null) return codec.decode(stored as never);
    const { encryptor } = sealing!;
    const text = String(stored);
    const place = placeIn(column, id);
    const isStrict = codec.seal === 'always';
    const clear = isStrict ? encryptor.decrypt(text, place) : encryptor.readText(text, place);
    return codec.decode(clear as never);
  }

  function toRow(record: Record<string, unknown>, id = record['id']): Record<string, Stored> {
    const row: Record<string, Stored> = {};
    for (const [field, column] of fields) {
      const value = record[field];
      if (value !== undefined) row[column.column] = write(column, id, value);
    }
    return row;
  }

  function toColumns(id: string, change: Record<string, unknown>): Record<string, Stored> {
    return toRow({ ...change, ...UNCHANGED }, id);
  }

  function toRecord(row: Record<string, Stored>): Record<string, unknown> {
    const record: Record<string, unknown> = {};
    const { id } = row;
    for (const [field, column] of fields) {
      const stored = row[column.column] as Stored;
      if (column.codec.seal === undefined) record[field] = column.codec.decode(stored as never);
      else
        Object.defineProperty(record, field, {
          get: () => unseal(column, id, stored),
          enumerable: true,
        });
    }
    return record;
  }

  return { toColumns, toRow: (record) => toRow(record), toRecord };
}
