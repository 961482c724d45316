import type { Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  // Ids of the keys that encrypt the records. The keys themselves are never stored here.
  await db.schema
    .createTable('encryption_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    // The newest key encrypts.
    .addColumn('activated_at', 'bigint', (column) => column.notNull())
    // When all values were found encrypted with this key.
    .addColumn('completed_at', 'bigint')
    // When no value was left that needs this key.
    .addColumn('retired_at', 'bigint')
    .execute();

  await db.schema
    .createTable('service_secrets')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value_sealed', 'text', (column) => column.notNull())
    .execute();
}
