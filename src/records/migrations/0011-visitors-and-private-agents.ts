import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  // Keyed hash of the visitor's address; null after the end, and for calls opened with a key.
  await db.schema.alterTable('calls').addColumn('opened_from', 'text').execute();
  // Two indexes, because each limit counts by one column.
  for (const column of ['agent_id', 'opened_from'])
    await db.schema
      .createIndex(`calls_of_visitors_${column}`)
      .on('calls')
      .column(column)
      .where(sql<boolean>`opened_from is not null`)
      .execute();

  // Encrypted. An agent with a link secret is private.
  await db.schema.alterTable('agents').addColumn('link_secret_sealed', 'text').execute();
}
