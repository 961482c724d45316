import { sql, type Kysely } from 'kysely';

/** A call is a face and a conversation: two sessions, of which only the first is anybody's but ours. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('sessions')
    .addColumn('kind', 'text', (column) => column.notNull().defaultTo('avatar'))
    .execute();
  await db.schema
    .createIndex('sessions_call')
    .on('sessions')
    .column('call_id')
    .where(sql<boolean>`call_id is not null`)
    .execute();

  // JSON; null: not evaluated, or from before there was any.
  await db.schema.alterTable('calls').addColumn('evaluation', 'text').execute();
  // When the call ended that is still to be evaluated and told of.
  await db.schema.alterTable('calls').addColumn('to_evaluate_since', 'bigint').execute();
  await db.schema
    .createIndex('calls_to_evaluate')
    .on('calls')
    .column('to_evaluate_since')
    .where(sql<boolean>`to_evaluate_since is not null`)
    .execute();
  // JSON; null: what the user said, and what answers nobody.
  await db.schema.alterTable('call_messages').addColumn('latency', 'text').execute();

  // Beside that of the language model: these make the references hold.
  for (const name of ['stt_api_id', 'tts_api_id'])
    await db.schema
      .alterTable('agents')
      .addColumn(name, 'text', (column) => column.references('external_apis.id'))
      .execute();
}
