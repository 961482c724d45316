import { PostgresAdapter, sql, type Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await accounts(db);
  await sessions(db);
  await agents(db);
  await calls(db);
  await webhooks(db);
}

async function accounts(db: Kysely<never>): Promise<void> {
  // Existing accounts belong to the operator.
  await db.schema
    .alterTable('accounts')
    .addColumn('plan', 'text', (column) => column.notNull().defaultTo('unlimited'))
    .execute();
  await db.schema
    .alterTable('accounts')
    .addColumn('live_sessions', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`update accounts set live_sessions = (
    select count(*) from sessions where sessions.account_id = accounts.id and status <> 'completed')`.execute(
    db,
  );

  await db.schema
    .alterTable('api_keys')
    .addColumn('scope', 'text', (column) => column.notNull().defaultTo('all'))
    .execute();
  await db.schema.alterTable('api_keys').addColumn('last_used_at', 'bigint').execute();
  await db.schema.alterTable('api_keys').addColumn('revoked_at', 'bigint').execute();
}

async function sessions(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('call_id', 'text').execute();
  await db.schema.alterTable('sessions').addColumn('signals', 'text').execute();
  await db.schema.alterTable('sessions').addColumn('renewed_token_sealed', 'text').execute();
  // Agents' limits may be fractions of a minute. SQLite stores any number in any column.
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    await db.schema
      .alterTable('sessions')
      .alterColumn('max_length_minutes', (column) => column.setDataType('double precision'))
      .execute();
  }
  await db.schema
    .createIndex('sessions_usage')
    .on('sessions')
    .columns(['account_id', 'ended_at'])
    .execute();
  await db.schema.createIndex('replies_age').on('replies').column('created_at').execute();
}

async function agents(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('external_apis')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('api_key_sealed', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('listed_at', 'bigint', (column) => column.notNull())
    .execute();
  await listIndex(db, 'external_apis');

  await db.schema
    .createTable('knowledge_files')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('format', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('content', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('listed_at', 'bigint', (column) => column.notNull())
    .execute();
  await listIndex(db, 'knowledge_files');
  await db.schema
    .createTable('knowledge_chunks')
    .addColumn('file_id', 'text', (column) =>
      column.notNull().references('knowledge_files.id').onDelete('cascade'),
    )
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('upload_id', 'text', (column) => column.notNull())
    .addColumn('size', 'integer', (column) => column.notNull())
    // SQLite stores bytes in any column.
    .addColumn('bytes', sql`bytea`, (column) => column.notNull())
    .addPrimaryKeyConstraint('knowledge_chunks_pk', ['file_id', 'number'])
    .execute();

  await db.schema
    .createTable('agents')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('avatar_id', 'text', (column) => column.notNull())
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('external_api_id', 'text', (column) => column.references('external_apis.id'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('listed_at', 'bigint', (column) => column.notNull())
    .execute();
  await listIndex(db, 'agents');
  await db.schema
    .createTable('agent_knowledge_files')
    .addColumn('agent_id', 'text', (column) =>
      column.notNull().references('agents.id').onDelete('cascade'),
    )
    .addColumn('file_id', 'text', (column) => column.notNull().references('knowledge_files.id'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('agent_knowledge_files_pk', ['agent_id', 'file_id'])
    .execute();
  await db.schema
    .createIndex('agent_knowledge_files_file')
    .on('agent_knowledge_files')
    .column('file_id')
    .execute();
}

async function calls(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('calls')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    // No reference: calls outlive their agent.
    .addColumn('agent_id', 'text', (column) => column.notNull())
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('room_url', 'text', (column) => column.notNull())
    .addColumn('room_name', 'text', (column) => column.notNull())
    .addColumn('user_token_sealed', 'text', (column) => column.notNull())
    .addColumn('user_name', 'text')
    .addColumn('user_email', 'text')
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('listed_at', 'bigint', (column) => column.notNull())
    .execute();
  await listIndex(db, 'calls');

  await db.schema
    .createTable('call_messages')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('call_id', 'text', (column) => column.notNull().references('calls.id'))
    .addColumn('sender', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('sent_at', 'bigint', (column) => column.notNull())
    .addColumn('listed_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('call_messages_order')
    .on('call_messages')
    .columns(['call_id', 'listed_at', 'id'])
    .execute();
}

async function webhooks(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('webhooks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('events', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('secret_sealed', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('disabled_reason', 'text')
    .addColumn('failing_since', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('listed_at', 'bigint', (column) => column.notNull())
    .execute();
  await listIndex(db, 'webhooks');

  await db.schema
    .createTable('events')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema.createIndex('events_age').on('events').column('created_at').execute();

  await db.schema
    .createTable('deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    // No reference: deleting a webhook must not fail a concurrent change that reports to it.
    .addColumn('webhook_id', 'text', (column) => column.notNull())
    .addColumn('event_id', 'text', (column) =>
      column.notNull().references('events.id').onDelete('cascade'),
    )
    // A call or session. Deliveries of one subject keep their order.
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('answer_status', 'integer')
    .addColumn('error', 'text')
    .addColumn('delivered_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('listed_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('deliveries_due')
    .on('deliveries')
    .columns(['webhook_id', 'status', 'due_at'])
    .execute();
  await db.schema
    .createIndex('deliveries_order')
    .on('deliveries')
    .columns(['webhook_id', 'subject', 'status', 'listed_at'])
    .execute();
  await db.schema
    .createIndex('deliveries_listed')
    .on('deliveries')
    .columns(['webhook_id', 'listed_at', 'id'])
    .execute();
  await db.schema.createIndex('deliveries_event').on('deliveries').column('event_id').execute();
}

const listIndex = (db: Kysely<never>, table: string): Promise<void> =>
  db.schema
    .createIndex(`${table}_listed`)
    .on(table)
    .columns(['account_id', 'listed_at', 'id'])
    .execute();
