import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  // Beside those of the other models: it makes the reference hold.
  await db.schema
    .alterTable('agents')
    .addColumn('embeddings_api_id', 'text', (column) => column.references('external_apis.id'))
    .execute();

  // What passages of knowledge files mean, as numbers: they cost money and minutes to make.
  await db.schema
    .createTable('passage_vectors')
    .addColumn('file_id', 'text', (column) =>
      column.notNull().references('knowledge_files.id').onDelete('cascade'),
    )
    // Which model at which address made them, of passages cut in which way.
    .addColumn('space', 'text', (column) => column.notNull())
    // Of a run of passages within the file.
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('dimensions', 'integer', (column) => column.notNull())
    // SQLite keeps bytes in a column of any type.
    .addColumn('codes', sql`bytea`, (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('passage_vectors_key', ['file_id', 'space', 'number'])
    .execute();

  // JSON: what the agent was when the call began, until the call was evaluated; null: from before it was kept.
  await db.schema.alterTable('calls').addColumn('agent', 'text').execute();

  // Who performed a session before: what it has still to tell of it counts.
  await db.schema.alterTable('sessions').addColumn('former_worker_id', 'text').execute();
}
