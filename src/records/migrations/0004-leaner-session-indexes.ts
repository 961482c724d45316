import { sql, type Kysely } from 'kysely';

/**
 * Partial indexes hold only the sessions that are searched; an index of all costs a page write per
 * session.
 */
export async function up(db: Kysely<never>): Promise<void> {
  for (const name of ['status', 'fingerprint', 'idempotency', 'usage'])
    await db.schema.dropIndex(`sessions_${name}`).execute();

  await db.schema
    .createIndex('sessions_live')
    .on('sessions')
    .columns(['account_id', 'token_fingerprint'])
    .where(sql<boolean>`status <> 'completed'`)
    .execute();
  await db.schema
    .createIndex('sessions_idempotency')
    .on('sessions')
    .columns(['account_id', 'idempotency_key'])
    .unique()
    .where(sql<boolean>`idempotency_key is not null`)
    .execute();
  await db.schema
    .createIndex('sessions_usage')
    .on('sessions')
    .columns(['account_id', 'ended_at'])
    .where(sql<boolean>`ended_at is not null`)
    .execute();
}
