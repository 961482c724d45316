/* Servers shared by all schedules: a Redis and a stoppable PostgreSQL with empty tables. */
import { openDatabase } from '../../src/records/engine/database.ts';
import { migrate } from '../../src/records/migrations/migrate.ts';
import { copyDatabase } from '../support/records/postgres-databases.ts';
import { PostgresServer } from '../support/records/postgres.ts';
import { RedisServer } from '../support/records/redis.ts';

export type Servers = {
  redis: RedisServer;
  postgres: PostgresServer;
  /** Template database with the tables. */
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
