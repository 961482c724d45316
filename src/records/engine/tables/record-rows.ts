import type { Encryptor } from '../encryption/encryptor.ts';
import { placeOf, type EncryptedTable } from '../../keys/encrypted-columns.ts';
import type { AnyCodec, Columns, RecordOf, RowOf, Stored } from './columns.ts';

/** Converts records with an `id`. The sealed columns of `table` stand in `encrypted-columns.ts`. */
export function recordRows<Table extends Columns>(
  table: EncryptedTable,
  columns: Table,
  encryptor: Encryptor,
) {
  type Row = RowOf<Table> & { id: string };
  type Fields = RecordOf<Table> & { id: string };
  const fields = Object.entries(columns);

  function write(codec: AnyCodec, place: () => string, value: unknown): Stored {
    const stored = codec.encode(value as never);
    if (codec.seal === undefined || stored === null) return stored;
    return encryptor.encrypt(String(stored), place());
  }

  function read(codec: AnyCodec, place: () => string, stored: Stored): unknown {
    if (codec.seal === undefined || stored === null) return codec.decode(stored as never);
    const text = String(stored);
    const isStrict = codec.seal === 'always';
    const clear = isStrict ? encryptor.decrypt(text, place()) : encryptor.readText(text, place());
    return codec.decode(clear as never);
  }

  /** Columns of the fields that are present. */
  function toColumns(id: string, change: Partial<Fields>): Partial<Row> {
    const row: Record<string, Stored> = {};
    for (const [field, { column, codec }] of fields) {
      const value = change[field as keyof Fields];
      const place = () => placeOf(table, column as never, id);
      if (value !== undefined) row[column] = write(codec, place, value);
    }
    return row as Partial<Row>;
  }

  /** Sealed fields are decrypted on access, as most readers never use them. */
  function toRecord(row: Row): RecordOf<Table> {
    const record: Record<string, unknown> = {};
    for (const [field, { column, codec }] of fields) {
      const stored = row[column as keyof Row] as Stored;
      const place = () => placeOf(table, column as never, row.id);
      const get = () => read(codec, place, stored);
      if (codec.seal === undefined) record[field] = get();
      else Object.defineProperty(record, field, { get, enumerable: true });
    }
    return record as RecordOf<Table>;
  }

  return { toColumns, toRow: (record: Fields) => toColumns(record.id, record) as Row, toRecord };
}
