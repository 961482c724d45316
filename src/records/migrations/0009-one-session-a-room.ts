import { sql, type Kysely } from 'kysely';

/**
 * A room token has one live session, so that the second of two concurrent requests finds the first.
 */
export async function up(db: Kysely<never>): Promise<void> {
  // Keep the newer of two duplicates, which repeated requests have found so far.
  await sql`
    update sessions set token_fingerprint = token_fingerprint || ' ' || id
    where status <> 'completed' and exists (
      select 1 from sessions as newer
      where newer.account_id = sessions.account_id
        and newer.token_fingerprint = sessions.token_fingerprint
        and newer.status <> 'completed'
        and newer.listed_at > sessions.listed_at
    )`.execute(db);
  await db.schema.dropIndex('sessions_live').execute();
  await db.schema
    .createIndex('sessions_live')
    .on('sessions')
    .columns(['account_id', 'token_fingerprint'])
    .unique()
    .where(sql<boolean>`status <> 'completed'`)
    .execute();
}
