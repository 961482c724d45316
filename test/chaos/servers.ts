/* What outlives a schedule: a Redis, a PostgreSQL of our own, which may be stopped, and in it tables without a row. */
import { openDatabase } from '../../src/records/engine/database.ts';
import { migrate } from '../../src/records/migrations/migrate.ts';
import { copyDatabase } from '../support/records/postgres-databases.ts';
import { PostgresServer } from '../support/records/postgres.ts';
import { RedisServer } from '../support/records/redis.ts';

export type Servers = {
  redis: RedisServer;
  postgres: PostgresServer;
  /** Of the tables. */
  template: string;
  close(): Promise<void>;
};

export async function openServers(): Promise<Servers> {
  const [redis, postgres] = await Promise.all([RedisServer.open(), PostgresServer.open()]);
  const template = await copyDatabase(postgres.url);
  const database = openDatabase({ url: template });
  await migrate(database);
  await database.destroy();
  const close = async () => {
    await redis.close();
    await postgres.close();
  };
  return { redis, postgres, template, close };
}
