/*
 * The database of a run: SQLite, or PostgreSQL in the Vitest project of that name. A test that gets
 * its database here runs on both.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, inject } from 'vitest';
import { once } from '#shared/once.ts';
import { openDatabase, type Database } from '../../../src/records/engine/database.ts';
import { migrate } from '../../../src/records/migrations/migrate.ts';
import { copyDatabase, databaseUrl, dropDatabase, emptyDatabase } from './postgres-databases.ts';

const template = inject('postgres');

/** Where a control plane keeps its records. */
export type Place = {
  dataDir: string;
  /** Environment variables for the control plane and the commands. */
  env: { DATA_DIR: string; DATABASE_URL?: string };
  /** Opens another connection to the records. */
  open(): Database;
  /** Call when all connections are closed. */
  remove(): Promise<void>;
};

/** `isBare`: without tables. */
export async function newPlace({ isBare = false } = {}): Promise<Place> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'troupe-test-'));
  const removeFolder = async () => rmSync(dataDir, { recursive: true });
  if (!template) {
    const open = () => openDatabase({ dataDir });
    if (!isBare) {
      writeFileSync(path.join(dataDir, SQLITE_FILE), await migratedFile(), { mode: 0o600 });
    }
    return { dataDir, env: { DATA_DIR: dataDir }, open, remove: removeFolder };
  }
  const url = isBare
    ? await copyDatabase(databaseUrl(template, 'template1'))
    : await take(template);
  return {
    dataDir,
    env: { DATA_DIR: dataDir, DATABASE_URL: url },
    open: () => openDatabase({ url }),
    async remove() {
      await removeFolder();
      await (isBare ? dropDatabase(url) : giveBack(url));
    },
  };
}

const SQLITE_FILE = 'troupe.sqlite';

/** A file with all tables and no rows, made once: copying it is faster than its migrations. */
const migratedFile = once(async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'troupe-test-'));
  const database = openDatabase({ dataDir });
  await migrate(database);
  await database.destroy();
  const bytes = readFileSync(path.join(dataDir, SQLITE_FILE));
  rmSync(dataDir, { recursive: true });
  return bytes;
});

/** The statements that make those tables: faster than the migrations, in memory. */
const tableStatements = once(async () => {
  const database = openDatabase('memory');
  await migrate(database);
  const { rows } = await sql<{ sql: string }>`
    select sql from sqlite_schema where sql is not null and name not like 'sqlite_%'`.execute(
    database,
  );
  await database.destroy();
  return rows.map(({ sql }) => sql);
});

/** Records with all tables and no rows, for one test. `destroy()` removes them. */
export async function newDatabase(): Promise<Database> {
  if (!template) {
    const database = openDatabase('memory');
    for (const statement of await tableStatements()) await sql.raw(statement).execute(database);
    return database;
  }
  const url = await take(template);
  const database = openDatabase({ url });
  const close = database.destroy.bind(database);
  database.destroy = async () => {
    await close();
    await giveBack(url);
  };
  return database;
}

/** Emptied databases of this test file, for reuse: faster than a new one. */
const spare: string[] = [];

const take = async (from: string): Promise<string> => spare.pop() ?? (await copyDatabase(from));

async function giveBack(url: string): Promise<void> {
  await emptyDatabase(url);
  spare.push(url);
}

afterAll(async () => {
  for (const url of spare.splice(0)) await dropDatabase(url);
});
