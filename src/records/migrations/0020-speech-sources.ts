import type { Kysely } from 'kysely';

/** Where the speech of a session comes from, if not from the agent in its room. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('speech_sealed', 'text').execute();
}
