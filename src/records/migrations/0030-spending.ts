import type { Kysely } from 'kysely';

/** The costs of calls. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('spending')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('period', 'bigint', (column) => column.notNull())
    .addColumn('model_tokens', 'bigint', (column) => column.notNull())
    .addColumn('speech_characters', 'bigint', (column) => column.notNull())
    .addColumn('seconds', 'bigint', (column) => column.notNull())
    .addColumn('texts', 'bigint', (column) => column.notNull())
    .addColumn('visitor', 'text')
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('spending_key', ['name', 'period'])
    .execute();
  await db.schema.createIndex('spending_expiry').on('spending').column('expires_at').execute();
}
