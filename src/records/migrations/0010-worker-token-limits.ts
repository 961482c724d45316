import type { Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  // Workers that may use the token; null: all.
  await db.schema.alterTable('worker_tokens').addColumn('kind', 'text').execute();
  await db.schema.alterTable('worker_tokens').addColumn('pool', 'text').execute();
}
