import type { Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('agents')
    .addColumn('logo_hash', 'text', (column) => column.references('blobs.hash'))
    .execute();
  await db.schema.createIndex('agents_by_logo').on('agents').column('logo_hash').execute();
}
