import type { Kysely } from 'kysely';

/** Outside services that take the sessions of full pools, and the sessions there. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('overflows')
    .addColumn('pool', 'text', (column) => column.primaryKey())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('api_key_sealed', 'text', (column) => column.notNull())
    // Millionths of the provider's currency.
    .addColumn('price_micros', 'bigint', (column) => column.notNull())
    .addColumn('ceiling_micros', 'bigint', (column) => column.notNull())
    .addColumn('period', 'text', (column) => column.notNull())
    .addColumn('max_sessions', 'integer', (column) => column.notNull())
    .addColumn('max_minutes', 'integer', (column) => column.notNull())
    // JSON: the provider's avatar by ours.
    .addColumn('avatars', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    .execute();

  // No reference to `sessions`: a slot is reserved before its session is saved.
  await db.schema
    .createTable('outside_sessions')
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('epoch', 'integer', (column) => column.notNull())
    .addColumn('pool', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('outside_id', 'text')
    .addColumn('price_micros', 'bigint', (column) => column.notNull())
    .addColumn('limit_ms', 'bigint', (column) => column.notNull())
    // The most that it may cost while it is open, then what it cost.
    .addColumn('cost_micros', 'bigint', (column) => column.notNull())
    .addColumn('reserved_at', 'bigint', (column) => column.notNull())
    .addColumn('heard_at', 'bigint', (column) => column.notNull())
    .addColumn('length_ms', 'bigint', (column) => column.notNull())
    .addColumn('end_reason', 'text')
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    // Raised by each change, so that no change overwrites another one.
    .addColumn('version', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('outside_sessions_key', ['session_id', 'epoch'])
    .execute();
  await db.schema
    .createIndex('outside_sessions_pool')
    .on('outside_sessions')
    .columns(['pool', 'reserved_at'])
    .execute();
  await db.schema
    .createIndex('outside_sessions_due')
    .on('outside_sessions')
    .columns(['state', 'due_at'])
    .execute();
}
