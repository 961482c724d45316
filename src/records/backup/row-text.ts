/* A row of any table as one line of JSON. Bytes are `{"base64": "..."}`. */

export type Value = string | number | Uint8Array | null;
export type Row = Record<string, Value>;

export const toText = (row: Row): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value,
      ]),
    ),
  );

type Parsed = Record<string, string | number | { base64: string } | null>;

export const fromText = (text: string): Row =>
  Object.fromEntries(
    Object.entries(JSON.parse(text) as Parsed).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? Buffer.from(value.base64, 'base64') : value,
    ]),
  );
