import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../../src/records/engine/database.ts';
import { migrate } from '../../../src/records/migrations/migrate.ts';
import { copyDatabase } from './postgres-databases.ts';
import { PostgresServer } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** In the project `postgresql`: URL of a database with all tables and no rows, to be copied. */
    postgres?: string;
  }
}

/** One server for a whole run, with tables created once. */
export default async function startPostgres({ provide }: TestProject) {
  const server = await PostgresServer.open();
  const url = await copyDatabase(server.url);
  const database = openDatabase({ url });
  await migrate(database);
  await database.destroy();
  provide('postgres', url);
  return () => server.close();
}
