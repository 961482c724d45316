import type { Kysely } from 'kysely';

/** Whether pictures of an account's live calls may be looked at. 0: no. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('accounts')
    .addColumn('call_stills', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
