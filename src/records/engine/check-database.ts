import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Rejects if the database does not answer or takes no writes. */
export async function checkDatabase(
  database: Database,
  place: { url: string } | { dataDir: string },
): Promise<void> {
  if (!('url' in place)) {
    await sql`select 1 from sqlite_schema limit 1`.execute(database);
    return;
  }
  // On after a failover that left this service at the former primary.
  const { rows } = await sql<{ isReadOnly: boolean }>`
    select current_setting('transaction_read_only')::boolean as "isReadOnly"`.execute(database);
  if (rows[0]?.isReadOnly) throw new Error('the database takes no writes');
}
