/*
 * Compiles a query once and runs it with other values. On SQLite, building a query takes longer
 * than running it, so queries of nearly every request are prepared.
 */
import {
  sql,
  type Compilable,
  type CompiledQuery,
  type Expression,
  type QueryResult,
} from 'kysely';
import type { Database, Transaction } from './database.ts';

/** Marks the position of a value in the compiled query. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Places the named value in the query. */
export type Value<Given> = <Name extends keyof Given & string>(
  name: Name,
) => Expression<Exclude<Given[Name], undefined>>;

/** `build` also gets the values of the first call. All later calls must have the same names. */
export function prepare<Given extends object, Row>(
  build: (value: Value<Given>, firstValues: Given) => Compilable<Row>,
): (db: Database | Transaction, values: Given) => Promise<QueryResult<Row>> {
  let compiled: CompiledQuery<Row> | undefined;
  return (db, values) => {
    compiled ??= build(placeholder, values).compile();
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Given] : parameter,
    );
    return db.executeQuery({ ...compiled, parameters });
  };
}

const placeholder = (name: string) =>
  sql.val(new Placeholder(name)) as unknown as Expression<never>;

type Placeholders<Row> = { [Name in keyof Row]-?: Expression<Exclude<Row[Name], undefined>> };

/** For `values` and `set`: a placeholder for every field of the row. */
export const placeholdersOf = <Row extends object>(
  value: Value<Row>,
  row: Partial<Row>,
): Placeholders<Row> =>
  Object.fromEntries(
    Object.keys(row).map((name) => [name, value(name as keyof Row & string)]),
  ) as Placeholders<Row>;
