import { sql, type Kysely } from 'kysely';

/**
 * A call has two sessions, an avatar session and a conversation. Only the first is shown to the
 * account.
 */
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

  // JSON; null: not evaluated, or from an older version.
  await db.schema.alterTable('calls').addColumn('evaluation', 'text').execute();
  // End of a call that waits for its evaluation and event.
  await db.schema.alterTable('calls').addColumn('to_evaluate_since', 'bigint').execute();
  await db.schema
    .createIndex('calls_to_evaluate')
    .on('calls')
    .column('to_evaluate_since')
    .where(sql<boolean>`to_evaluate_since is not null`)
    .execute();
  // JSON; null for user messages and for messages that answer none.
  await db.schema.alterTable('call_messages').addColumn('latency', 'text').execute();

  // Foreign keys beside that of the language model.
  for (const name of ['stt_api_id', 'tts_api_id'])
    await db.schema
      .alterTable('agents')
      .addColumn(name, 'text', (column) => column.references('external_apis.id'))
      .execute();
}
