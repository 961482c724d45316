import pg from 'pg';
import { newName } from '#shared/ids.ts';

/** The URL of another database on the same server. */
export function databaseUrl(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = name;
  return other.href;
}

/** Copies a database that has no connections. Returns the copy's URL. */
export async function copyDatabase(url: string): Promise<string> {
  const name = newName('test');
  const copy = `create database "${name}" template "${nameIn(url)}" strategy file_copy`;
  await run(databaseUrl(url, 'postgres'), copy);
  return databaseUrl(url, name);
}

/** Closes all connections to it. */
export const dropDatabase = (url: string): Promise<void> =>
  run(databaseUrl(url, 'postgres'), `drop database "${nameIn(url)}" with (force)`);

/** Deletes every row except the migrations'. Much cheaper than a new database for each test. */
export const emptyDatabase = (url: string): Promise<void> =>
  run(
    url,
    `do $$ declare name text; begin
      set local session_replication_role = replica; -- no order among the tables
      for name in select tablename from pg_tables where schemaname = 'public' and tablename not like 'kysely_%'
      loop execute format('delete from %I', name); end loop;
    end $$`,
  );

const nameIn = (url: string): string => new URL(url).pathname.slice(1);

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
