import type { Kysely } from 'kysely';

/** How long the request of a session waited for a slot. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('waited_ms', 'integer').execute();
}
