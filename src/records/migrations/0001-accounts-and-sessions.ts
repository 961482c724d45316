import type { Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('accounts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('transport', 'text', (column) => column.notNull())
    .addColumn('avatar_id', 'text', (column) => column.notNull())
    .addColumn('room_url', 'text', (column) => column.notNull())
    .addColumn('room_token_sealed', 'text', (column) => column.notNull())
    .addColumn('token_fingerprint', 'text', (column) => column.notNull())
    .addColumn('built_in_room', 'text')
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('end_reason', 'text')
    .addColumn('epoch', 'integer', (column) => column.notNull())
    .addColumn('worker_id', 'text')
    .addColumn('video', 'text', (column) => column.notNull())
    .addColumn('max_length_minutes', 'integer')
    .addColumn('metadata', 'text', (column) => column.notNull())
    .addColumn('idempotency_key', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('listed_at', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createIndex('sessions_listed')
    .on('sessions')
    .columns(['account_id', 'listed_at', 'id'])
    .execute();
  await db.schema
    .createIndex('sessions_idempotency')
    .on('sessions')
    .columns(['account_id', 'idempotency_key'])
    .unique()
    .execute();
  await db.schema.createIndex('sessions_status').on('sessions').column('status').execute();
  await db.schema
    .createIndex('sessions_fingerprint')
    .on('sessions')
    .columns(['account_id', 'token_fingerprint'])
    .execute();

  await db.schema
    .createTable('replies')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('idempotency_key', 'text', (column) => column.notNull())
    .addColumn('request_hash', 'text', (column) => column.notNull())
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('body_sealed', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('replies_pk', ['account_id', 'idempotency_key'])
    .execute();
}
