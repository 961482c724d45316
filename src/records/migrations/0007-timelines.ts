import type { Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  // Timelines of sessions, one row per batch of entries.
  await db.schema
    .createTable('timeline_parts')
    .addColumn('session_id', 'text', (column) =>
      column.notNull().references('sessions.id').onDelete('cascade'),
    )
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('entries', 'text', (column) => column.notNull())
    .addColumn('kept', 'integer', (column) => column.notNull())
    .addColumn('left_out', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('timeline_parts_key', ['session_id', 'id'])
    .execute();
}
