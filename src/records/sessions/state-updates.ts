import { sql } from 'kysely';
import type { Database, Transaction } from '../engine/database.ts';
import { sessionColumns, STATE_FIELDS } from '../engine/tables/session-columns.ts';
import { isLive } from './session-queries.ts';
import type { SessionRecord, SessionStateFields } from './session-row.ts';

type StateUpdate = { session: Pick<SessionRecord, 'id'>; fields: SessionStateFields };

/** Sessions per statement. Each number of sessions has its own compiled statement. */
export const MAX_UPDATES = 16;

const columns = [sessionColumns.id, ...STATE_FIELDS.map((field) => sessionColumns[field])];

/** Changes several sessions in one statement, and returns the ids of those that it changed. */
export function stateUpdates(db: Database) {
  const statements: ReturnType<typeof compile>[] = [];
  return async (trx: Transaction, updates: readonly StateUpdate[]): Promise<Set<string>> => {
    const statement = (statements[updates.length] ??= compile(db, updates.length));
    const parameters = updates.flatMap(({ session, fields }) => [
      session.id,
      ...STATE_FIELDS.map((field) => encoded(field, fields)),
    ]);
    const { rows } = await trx.executeQuery<{ id: string }>({ ...statement, parameters });
    return new Set(rows.map(({ id }) => id));
  };
}

const encoded = (field: (typeof STATE_FIELDS)[number], fields: SessionStateFields) =>
  sessionColumns[field].codec.encode(fields[field] as never);

/**
 * Skips completed sessions, which never change, and sessions that have the status already: the
 * answer to an earlier commit may have been lost.
 */
function compile(db: Database, count: number) {
  const values = columns.map(({ codec }) =>
    codec.isNumber ? sql`cast(${null} as bigint)` : sql`${null}`,
  );
  // `column1`, `column2`, ... are the names in both databases.
  const sets = columns.map(
    ({ column }, at) => sql`${sql.ref(column)} = ${sql.ref(`column${at + 1}`)}`,
  );
  const query = sql`
    update sessions
    set ${sql.join(sets.slice(1))}
    from (values ${sql.join(Array.from({ length: count }, () => sql`(${sql.join(values)})`))}) as given
    where id = column1 and ${isLive} and status <> column2
    returning id`;
  return query.compile(db);
}
