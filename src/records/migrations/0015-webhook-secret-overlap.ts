import type { Kysely } from 'kysely';

/** The secret before the last rotation, which signs too until then. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('webhooks').addColumn('former_secret_sealed', 'text').execute();
  await db.schema.alterTable('webhooks').addColumn('former_secret_until', 'bigint').execute();
}
