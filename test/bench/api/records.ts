import { copyDatabase } from '../../support/records/postgres-databases.ts';
import { PostgresServer } from '../../support/records/postgres.ts';

/** Storage of a control plane's records. */
export type Records = {
  name: string;
  /** Settings for a control plane with an empty database. */
  env: () => Promise<Record<string, string>>;
};

export const onSqlite = <Result>(run: (records: Records) => Promise<Result>): Promise<Result> =>
  run({ name: 'SQLite', env: async () => ({}) });

/** Its server does not sync to disk. */
export async function onPostgres<Result>(
  run: (records: Records) => Promise<Result>,
): Promise<Result> {
  const server = await PostgresServer.open();
  try {
    return await run({
      name: 'PostgreSQL',
      env: async () => ({ DATABASE_URL: await copyDatabase(server.url) }),
    });
  } finally {
    await server.close();
  }
}
