import type { Kysely } from 'kysely';

/** Why a session ended, in words for its owner. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('end_detail', 'text').execute();
}
