import { sql, type Kysely } from 'kysely';

/** Texts of knowledge files in pieces, so that none is ever read or decrypted as a whole. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('knowledge_texts')
    .addColumn('text_id', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('file_id', 'text', (column) =>
      column.notNull().references('knowledge_files.id').onDelete('cascade'),
    )
    // SQLite stores bytes in any column.
    .addColumn('bytes', sql`bytea`, (column) => column.notNull())
    .addPrimaryKeyConstraint('knowledge_texts_key', ['text_id', 'number'])
    .execute();
  await db.schema
    .createIndex('knowledge_texts_file')
    .on('knowledge_texts')
    .column('file_id')
    .execute();
  await db.schema.alterTable('knowledge_files').addColumn('text_id', 'text').execute();
}
