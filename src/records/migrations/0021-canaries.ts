import type { Kysely } from 'kysely';

/** The share of new sessions that tries a pool, and how it compares. At most one row. */
export async function up(db: Kysely<never>): Promise<void> {
  let table = db.schema
    .createTable('canaries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('pool', 'text', (column) => column.notNull())
    .addColumn('stable_pool', 'text', (column) => column.notNull())
    .addColumn('share_percent', 'integer', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('stopped_at', 'bigint');
  for (const arm of ['canary', 'stable'])
    for (const count of ['sessions', 'failures'])
      table = table.addColumn(`${arm}_${count}`, 'bigint', (column) => column.notNull());
  await table.execute();
}
