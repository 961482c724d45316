import type { Kysely } from 'kysely';

/** People who use the console, the browsers they are signed in with, and their one-time links. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('people')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text')
    .addColumn('role', 'text')
    .addColumn('operator_since', 'bigint')
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('password_hash', 'text')
    .addColumn('openid_subject', 'text', (column) => column.unique())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_sign_in_at', 'bigint')
    .execute();
  await db.schema.createIndex('people_by_account').on('people').column('account_id').execute();

  await db.schema
    .createTable('sign_ins')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('person_id', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('former_hash', 'text')
    .addColumn('password_tag', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('user_agent', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('rotated_at', 'bigint', (column) => column.notNull())
    .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('sign_ins_by_former').on('sign_ins').column('former_hash').execute();
  await db.schema.createIndex('sign_ins_by_person').on('sign_ins').column('person_id').execute();

  await db.schema
    .createTable('person_links')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('account_id', 'text')
    .addColumn('person_id', 'text')
    .addColumn('grants', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('used_at', 'bigint')
    .execute();
  await db.schema
    .createIndex('person_links_by_account')
    .on('person_links')
    .column('account_id')
    .execute();
}
