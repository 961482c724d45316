import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  // Foreign key beside those of the other models.
  await db.schema
    .alterTable('agents')
    .addColumn('embeddings_api_id', 'text', (column) => column.references('external_apis.id'))
    .execute();

  // Embeddings of knowledge file passages, which cost money and minutes to compute.
  await db.schema
    .createTable('passage_vectors')
    .addColumn('file_id', 'text', (column) =>
      column.notNull().references('knowledge_files.id').onDelete('cascade'),
    )
    // Identifies the model, its address and the way files are split.
    .addColumn('space', 'text', (column) => column.notNull())
    // Number of a run of passages within the file.
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('dimensions', 'integer', (column) => column.notNull())
    // SQLite stores bytes in any column.
    .addColumn('codes', sql`bytea`, (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('passage_vectors_key', ['file_id', 'space', 'number'])
    .execute();

  // JSON: the agent's settings when the call began, until its evaluation; null in older rows.
  await db.schema.alterTable('calls').addColumn('agent', 'text').execute();

  // The worker before; its late reports are accepted.
  await db.schema.alterTable('sessions').addColumn('former_worker_id', 'text').execute();
}
