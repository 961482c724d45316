import type { Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  // Worker pool; null: the default pool.
  await db.schema.alterTable('accounts').addColumn('pool', 'text').execute();
  await db.schema.alterTable('sessions').addColumn('pool', 'text').execute();

  await db.schema
    .createTable('worker_tokens')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute();
}
