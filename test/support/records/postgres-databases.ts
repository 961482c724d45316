import pg from 'pg';
import { newName } from '#shared/ids.ts';

/** The URL of another database on the same server. */
export function databaseUrl(url: string, name: string): string {
  const target = new URL(url);
  target.pathname = name;
  return target.href;
}

/** Copies a database that has no connections. Returns the copy's URL. */
export async function copyDatabase(url: string): Promise<string> {
  const name = newName('test');
  const copy = `create database "${name}" template "${nameIn(url)}" strategy file_copy`;
  await run(databaseUrl(url, 'postgres'), copy);
  return databaseUrl(url, name);
}

/** Closes all connections to it. */
export async function dropDatabase(url: string): Promise<void> {
  await cleaners.get(url)?.end();
  cleaners.delete(url);
  await run(databaseUrl(url, 'postgres'), `drop database "${nameIn(url)}" with (force)`);
}

/** Open connections by database: a new one takes PostgreSQL six times as long as the deletion. */
const cleaners = new Map<string, pg.Client>();

/** Deletes every row except the migrations'. Much cheaper than a new database for each test. */
export async function emptyDatabase(url: string): Promise<void> {
  const cleaner = cleaners.get(url) ?? (await openCleaner(url));
  await cleaner.query(
    `do $$ declare name text; begin
      set local session_replication_role = replica; -- no order among the tables
      for name in select tablename from pg_tables where schemaname = 'public' and tablename not like 'kysely_%'
      loop execute format('delete from %I', name); end loop;
    end $$`,
  );
}

async function openCleaner(url: string): Promise<pg.Client> {
  const cleaner = new pg.Client(url);
  // A test may end all connections to its database.
  cleaner.on('error', () => cleaners.delete(url));
  await cleaner.connect();
  cleaners.set(url, cleaner);
  return cleaner;
}

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
