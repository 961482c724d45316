import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  // The owner's consent; null: pictures sent with sessions do not become avatars.
  await db.schema.alterTable('accounts').addColumn('picture_consent', 'text').execute();
  // Blob of the session's avatar bundle; null for a built-in avatar.
  await db.schema.alterTable('sessions').addColumn('bundle_hash', 'text').execute();

  await db.schema
    .createTable('blobs')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('size', 'integer', (column) => column.notNull())
    // Null if the bytes are in a file. SQLite stores bytes in any column.
    .addColumn('bytes', sql`bytea`)
    .addColumn('kept_at', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('avatars')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('progress', 'integer', (column) => column.notNull())
    .addColumn('background', 'text', (column) => column.notNull())
    .addColumn('consent', 'text', (column) => column.notNull())
    .addColumn('consented_at', 'bigint', (column) => column.notNull())
    .addColumn('consent_key_id', 'text')
    .addColumn('picture_hash', 'text', (column) => column.notNull().references('blobs.hash'))
    .addColumn('background_hash', 'text', (column) => column.references('blobs.hash'))
    .addColumn('bundle_hash', 'text', (column) => column.references('blobs.hash'))
    .addColumn('portrait_hash', 'text', (column) => column.references('blobs.hash'))
    // Hash of a picture sent with a session. Unique per account.
    .addColumn('session_picture', 'text')
    .addColumn('epoch', 'integer', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('worker_id', 'text')
    .addColumn('claimed_until', 'bigint', (column) => column.notNull())
    .addColumn('queued_at', 'bigint', (column) => column.notNull())
    .addColumn('settled_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('listed_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('avatars_listed')
    .on('avatars')
    .columns(['account_id', 'listed_at', 'id'])
    .execute();
  await db.schema
    .createIndex('avatars_queued')
    .on('avatars')
    .columns(['status', 'queued_at'])
    .execute();
  await db.schema
    .createIndex('avatars_session_picture')
    .on('avatars')
    .columns(['account_id', 'session_picture'])
    .unique()
    .execute();
  // Find references to a blob.
  for (const column of ['picture_hash', 'background_hash', 'bundle_hash', 'portrait_hash']) {
    await db.schema.createIndex(`avatars_${column}`).on('avatars').column(column).execute();
  }
  await db.schema.createIndex('agents_avatar').on('agents').column('avatar_id').execute();
}
