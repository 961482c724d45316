import { PostgresAdapter, sql, type Kysely } from 'kysely';

/** Triggers keep the table append-only, whatever program writes to it. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('audit_entries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    // No reference: entries outlive their account. Null: the installation.
    .addColumn('account_id', 'text')
    .addColumn('actor_type', 'text', (column) => column.notNull())
    .addColumn('actor_id', 'text')
    .addColumn('actor_name', 'text')
    .addColumn('address', 'text')
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('target_id', 'text')
    // Encrypted JSON. May be cleared with the account, or encrypted with another key.
    .addColumn('before_sealed', 'text')
    .addColumn('after_sealed', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('listed_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('audit_entries_listed')
    .on('audit_entries')
    .columns(['account_id', 'listed_at', 'id'])
    .execute();
  await db.schema
    .createIndex('audit_entries_order')
    .on('audit_entries')
    .columns(['listed_at', 'id'])
    .execute();

  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  for (const statement of isPostgres ? postgresTriggers : sqliteTriggers) {
    await sql.raw(statement).execute(db);
  }
}

const FIXED =
  'id, account_id, actor_type, actor_id, actor_name, address, action, target_id, created_at, listed_at';

const sqliteTriggers = [
  `create trigger audit_entries_kept before delete on audit_entries
   begin select raise(abort, 'the audit log is append-only'); end`,
  `create trigger audit_entries_fixed before update of ${FIXED} on audit_entries
   begin select raise(abort, 'the audit log is append-only'); end`,
];

const postgresTriggers = [
  `create function refuse_audit_change() returns trigger language plpgsql as
   $$ begin raise exception 'the audit log is append-only'; end $$`,
  `create trigger audit_entries_kept before delete on audit_entries
   for each row execute function refuse_audit_change()`,
  `create trigger audit_entries_fixed before update of ${FIXED} on audit_entries
   for each row execute function refuse_audit_change()`,
  `create trigger audit_entries_whole before truncate on audit_entries
   for each statement execute function refuse_audit_change()`,
];
