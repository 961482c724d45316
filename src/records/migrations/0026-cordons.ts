import type { Kysely } from 'kysely';

/** Workers that take no new sessions until they are resumed. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('cordons')
    .addColumn('worker_id', 'text', (column) => column.primaryKey())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
}
