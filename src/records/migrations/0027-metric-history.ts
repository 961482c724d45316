import type { Kysely } from 'kysely';

/** Counts of the service, by minutes and by quarters of an hour. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('metric_history')
    .addColumn('step_seconds', 'integer', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('count', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('metric_history_key', ['step_seconds', 'at', 'name'])
    .execute();
}
