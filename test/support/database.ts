/*
 * The database that a run is about: SQLite, or PostgreSQL in the vitest project of that name. A test that asks here runs on both.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inject } from 'vitest';
import { openDatabase, type Database } from '../../src/records/database.ts';
import { migrate } from '../../src/records/migrate.ts';
import { copyDatabase, databaseUrl, dropDatabase } from './postgres.ts';

const template = inject('postgres');

/** Where a control plane keeps its records. */
export type Place = {
  dataDir: string;
  /** What the control plane and the commands are told. */
  env: { DATA_DIR: string; DATABASE_URL?: string };
  /** Looks into the records beside them. */
  open(): Database;
  /** When everybody has closed them. */
  remove(): Promise<void>;
};

/** `isEmpty`: no table either. */
export async function newPlace({ isEmpty = false } = {}): Promise<Place> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'troupe-test-'));
  const removeFolder = async () => rmSync(dataDir, { recursive: true });
  if (!template) {
    const open = () => openDatabase({ dataDir });
    return { dataDir, env: { DATA_DIR: dataDir }, open, remove: removeFolder };
  }
  const url = await copyDatabase(isEmpty ? databaseUrl(template, 'template1') : template);
  return {
    dataDir,
    env: { DATA_DIR: dataDir, DATABASE_URL: url },
    open: () => openDatabase({ url }),
    async remove() {
      await removeFolder();
      await dropDatabase(url);
    },
  };
}

/** Records with all their tables and no row, for one test: gone with `destroy()`. */
export async function newDatabase(): Promise<Database> {
  if (!template) {
    const database = openDatabase('memory');
    await migrate(database);
    return database;
  }
  const url = await copyDatabase(template);
  const database = openDatabase({ url });
  const close = database.destroy.bind(database);
  database.destroy = async () => {
    await close();
    await dropDatabase(url);
  };
  return database;
}
