import { sql, type Kysely } from 'kysely';

/** Ratings of calls by their users. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('calls').addColumn('rating', 'text').execute();
  // Encrypted.
  await db.schema.alterTable('calls').addColumn('rating_comment_sealed', 'text').execute();
  // Few calls are rated.
  await db.schema
    .createIndex('calls_rated')
    .on('calls')
    .columns(['account_id', 'rating', 'listed_at'])
    .where(sql<boolean>`rating is not null`)
    .execute();
}
