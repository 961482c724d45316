/*
 * The columns of a table, each described once: the field of the record, its column, and how the
 * value is stored. `record-rows.ts` converts between records and rows.
 */
export type Stored = string | number | null;

/** Encrypted at rest; in rows of earlier versions, some columns are clear text. */
type Seal = 'always' | 'since_later_version';

type Traits<Sealing> = {
  /** PostgreSQL takes a value for text unless it is cast. */
  readonly isNumber?: true;
  readonly seal?: Sealing;
};

type Codec<Value, Column extends Stored, Sealing = undefined> = Traits<Sealing> & {
  readonly encode: (value: Value) => Column;
  readonly decode: (stored: Column) => Value;
};

type AnyCodec<Sealing> = Traits<Sealing> & {
  readonly encode: (value: never) => Stored;
  readonly decode: (stored: never) => unknown;
};

type ColumnsWith<Sealing> = Readonly<
  Record<string, { readonly column: string; readonly codec: AnyCodec<Sealing> }>
>;

export type Columns = ColumnsWith<Seal | undefined>;

/** No column is encrypted. */
export type ClearColumns = ColumnsWith<undefined>;

/** A row of these columns, as `selectAll` returns it. */
export type RowOf<Table extends Columns> = {
  [Field in keyof Table as Table[Field]['column']]: ReturnType<Table[Field]['codec']['encode']>;
};

export type RecordOf<Table extends Columns> = {
  -readonly [Field in keyof Table]: ReturnType<Table[Field]['codec']['decode']>;
};

/** Names of the columns. */
export const columnsOf = <Table extends Columns>(table: Table) =>
  Object.values(table).map(({ column }) => column) as Table[keyof Table]['column'][];

const identity = <Value>(value: Value): Value => value;

export const textOf = <Value extends string>(): Codec<Value, Value> => ({
  encode: identity,
  decode: identity,
});

export const text = textOf<string>();

export const number: Codec<number, number> = { encode: identity, decode: identity, isNumber: true };

/** Stored as 1 or 0. */
export const flag: Codec<boolean, number> = {
  encode: (value) => (value ? 1 : 0),
  decode: (stored) => stored === 1,
  isNumber: true,
};

export const json = <Value>(): Codec<Value, string> => ({
  encode: (value) => JSON.stringify(value),
  decode: (stored) => JSON.parse(stored) as Value,
});

/** Null is stored for an empty list. */
export const jsonList = <Item>(): Codec<Item[], string | null> => ({
  encode: (list) => (list.length > 0 ? JSON.stringify(list) : null),
  decode: (stored) => (stored === null ? [] : (JSON.parse(stored) as Item[])),
});

export const orNull = <Value, Column extends Stored>(
  codec: Codec<Value, Column>,
): Codec<Value | null, Column | null> => ({
  ...codec,
  encode: (value) => (value === null ? null : codec.encode(value)),
  decode: (stored) => (stored === null ? null : codec.decode(stored)),
});

export const sealed = <Value, Column extends string | null>(
  codec: Codec<Value, Column>,
): Codec<Value, Column, Seal> => ({ ...codec, seal: 'always' });

export const sealedOrClear = <Value, Column extends string | null>(
  codec: Codec<Value, Column>,
): Codec<Value, Column, Seal> => ({ ...codec, seal: 'since_later_version' });
