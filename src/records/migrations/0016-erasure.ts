import type { Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  // JSON: days by kind; null: as the installation.
  await db.schema.alterTable('accounts').addColumn('retention', 'text').execute();

  // Live time of deleted sessions, which still counts against the plan's minutes.
  await db.schema
    .createTable('deleted_usage')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('deleted_usage_ended')
    .on('deleted_usage')
    .columns(['account_id', 'ended_at'])
    .execute();

  // Receipts outlive the accounts.
  await db.schema
    .createTable('account_deletions')
    .addColumn('account_id', 'text', (column) => column.primaryKey())
    .addColumn('requested_at', 'bigint', (column) => column.notNull())
    // JSON: deleted rows by kind.
    .addColumn('deleted', 'text', (column) => column.notNull())
    .addColumn('completed_at', 'bigint')
    .execute();

  await db.schema
    .createIndex('events_account')
    .on('events')
    .columns(['account_id', 'created_at'])
    .execute();
}
