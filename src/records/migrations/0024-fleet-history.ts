import type { Kysely } from 'kysely';

/** Capacity and demand of the fleet, by minutes and by quarters of an hour. */
export async function up(db: Kysely<never>): Promise<void> {
  let table = db.schema
    .createTable('fleet_history')
    .addColumn('step_seconds', 'integer', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('samples', 'integer', (column) => column.notNull());
  for (const name of ['workers', 'slots', 'taken', 'waiting', 'taken_peak', 'waiting_peak'])
    table = table.addColumn(name as 'workers', 'bigint', (column) => column.notNull());
  await table.addPrimaryKeyConstraint('fleet_history_key', ['step_seconds', 'at']).execute();
}
