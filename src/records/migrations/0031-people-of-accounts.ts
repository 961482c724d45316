/*
 * Names of people become unique in their account alone. `name` stays unique in the installation for
 * versions before this one, so a namesake's has the account behind it; the index finds people by
 * the part that they sign in with. Operators give e-mail domains to accounts.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  // As `SIGN_IN_NAME` in `records/people/people.ts`: an index serves equal expressions only.
  await sql`create index people_by_sign_in_name on people ((coalesce(admin_name,
    replace(name, '\u001f' || coalesce(account_id, '00000000-0000-0000-0000-000000000000'), ''))))`.execute(
    db,
  );

  await db.schema
    .createTable('account_domains')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('domain', 'text', (column) => column.notNull().unique())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('account_domains_by_account')
    .on('account_domains')
    .column('account_id')
    .execute();
}
