import type { Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('api_keys').addColumn('expires_at', 'bigint').execute();
  // JSON lists; null: no limit.
  await db.schema.alterTable('api_keys').addColumn('scopes', 'text').execute();
  await db.schema.alterTable('api_keys').addColumn('allowed_networks', 'text').execute();
  await db.schema.alterTable('api_keys').addColumn('last_used_address', 'text').execute();
}
