import { PostgresAdapter, sql, type Kysely } from 'kysely';
import type { Database } from '../engine/database.ts';
import type { Row } from './row-text.ts';

/** Tables by name, as a backup sees them. */
export type Snapshot = Kysely<Record<string, Row>>;

/** All reads of `run` see the records at one moment. The service goes on writing. */
export function withSnapshot<Result>(
  db: Database,
  run: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    return db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((trx) => run(trx as unknown as Snapshot));
  }
  return db.connection().execute(async (connection) => {
    // `begin` alone would take the write lock.
    await sql`begin deferred`.execute(connection);
    try {
      return await run(connection as unknown as Snapshot);
    } finally {
      await sql`rollback`.execute(connection);
    }
  });
}

/** In the order of the primary key, `page` rows at a time. */
export async function* rowsOf(
  snapshot: Snapshot,
  { name, key, page }: { name: string; key: readonly string[] | null; page: number },
): AsyncGenerator<Row> {
  if (!key) {
    yield* await snapshot.selectFrom(name).selectAll().execute();
    return;
  }
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let position: Row | null = null;
  for (;;) {
    const lastRow: Row | null = position;
    const { rows }: { rows: Row[] } = await sql<Row>`
      select * from ${sql.table(name)}
      where ${lastRow ? sql`(${columns}) > (${sql.join(key.map((column) => lastRow[column]))})` : sql`1 = 1`}
      order by ${columns} limit ${sql.lit(page)}`.execute(snapshot);
    yield* rows;
    position = rows.at(-1) ?? null;
    if (!position || rows.length < page) return;
  }
}
