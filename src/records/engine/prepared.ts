/*
 * Queries that run with nearly every request are built and compiled once, and then only given other values: on SQLite, building one takes
 * longer than running it.
 */
import {
  sql,
  type Compilable,
  type CompiledQuery,
  type Expression,
  type QueryResult,
} from 'kysely';
import type { Database, Transaction } from './database.ts';

/** Stands in the built query where a value goes. */
class Gap {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Where the value of a name goes. */
export type Value<Given> = <Name extends keyof Given & string>(
  name: Name,
) => Expression<Exclude<Given[Name], undefined>>;

/** `build` gets what says where each value goes, and the values of the first call: every later one has the same names. */
export function prepare<Given extends object, Row>(
  build: (value: Value<Given>, first: Given) => Compilable<Row>,
): (db: Database | Transaction, given: Given) => Promise<QueryResult<Row>> {
  let compiled: CompiledQuery<Row> | undefined;
  return (db, given) => {
    compiled ??= build(gap, given).compile();
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Gap ? given[parameter.name as keyof Given] : parameter,
    );
    return db.executeQuery({ ...compiled, parameters });
  };
}

const gap = (name: string) => sql.val(new Gap(name)) as unknown as Expression<never>;

type Gaps<Row> = { [Name in keyof Row]-?: Expression<Exclude<Row[Name], undefined>> };

/** For `values` and `set`: every field of a row. */
export const gapsOf = <Row extends object>(value: Value<Row>, row: Partial<Row>): Gaps<Row> =>
  Object.fromEntries(
    Object.keys(row).map((name) => [name, value(name as keyof Row & string)]),
  ) as Gaps<Row>;
