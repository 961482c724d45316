import pg from 'pg';
import { newName } from '#shared/ids.ts';

/** The same server's database of another name. */
export function databaseUrl(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = name;
  return other.href;
}

/** Copies a database that nobody is connected to; returns the copy's url. */
export async function copyDatabase(url: string): Promise<string> {
  const name = newName('test');
  const copy = `create database "${name}" template "${nameIn(url)}" strategy file_copy`;
  await run(databaseUrl(url, 'postgres'), copy);
  return databaseUrl(url, name);
}

/** Whoever is connected to it is not any more. */
export const dropDatabase = (url: string): Promise<void> =>
  run(databaseUrl(url, 'postgres'), `drop database "${nameIn(url)}" with (force)`);

/** Deletes every row but the migrations'. For a test this is far less work than a database of its own. */
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
