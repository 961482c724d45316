import { PostgresAdapter, sql, type Kysely } from 'kysely';

/** What each account stores, and which uploads were abandoned. */
export async function up(db: Kysely<never>): Promise<void> {
  const files = () => db.schema.alterTable('knowledge_files');
  await files()
    .addColumn('size', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await files().addColumn('uploaded_at', 'bigint').execute();
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const bytes = isPostgres ? sql`octet_length(content)` : sql`length(cast(content as blob))`;
  await sql`
    update knowledge_files set size = coalesce(
      ${bytes},
      (select sum(size) from knowledge_chunks where file_id = knowledge_files.id),
      0
    )`.execute(db);
  // Sums need the index alone: a file's row may hold megabytes of text.
  await db.schema
    .createIndex('knowledge_files_stored')
    .on('knowledge_files')
    .columns(['account_id', 'size'])
    .execute();
  await db.schema
    .createIndex('knowledge_files_waiting')
    .on('knowledge_files')
    .columns(['created_at'])
    .where(sql<boolean>`status = 'to-upload'`)
    .execute();
}
