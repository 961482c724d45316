/*
 * Copies the records while the service runs, from SQLite and PostgreSQL into one format, so that
 * either can be restored into the other.
 *
 * Blob files never change in place, but may be removed: those that exist are copied before the
 * snapshot of the tables, and those added in between after it.
 */
import { mkdir, readdir } from 'node:fs/promises';
import { OperatorError } from '#shared/process/operator-error.ts';
import type { BlobFiles } from '../engine/blob-files.ts';
import type { Database } from '../engine/database.ts';
import { keyIdOfBytes } from '../engine/encryption/encryptor.ts';
import { keyIdOf } from '../engine/encryption/keyring.ts';
import { isoTime } from '#shared/iso-time.ts';
import type { KeySource } from '../keys/key-source.ts';
import { LAST_MIGRATION, lastMigration } from '../migrations/migrate.ts';
import { CheckedFiles, once } from './checked-files.ts';
import { FORMAT, KEY_FILE, MANIFEST_FILE, blobFile, tableFile, type Manifest } from './manifest.ts';
import { toText, type Row } from './row-text.ts';
import { rowsOf, withSnapshot, type Snapshot } from './snapshot.ts';
import { backedUpTables } from './tables.ts';

export type BackupParts = {
  db: Database;
  files: BlobFiles;
  /** New or empty. */
  folder: string;
  /** Adds the secret keys: the backup can then be read without anything else. */
  withKeys: KeySource | null;
  version: string;
  now: number;
};

/** A blob that the snapshot names was removed before it was copied. */
class BlobGone extends Error {
  override readonly name = 'BlobGone';
}

const TRIES = 5;

export async function backUp(parts: BackupParts): Promise<Manifest> {
  const { db, files, folder, withKeys, version, now } = parts;
  const migration = await lastMigration(db);
  if (migration === null || migration < LAST_MIGRATION)
    throw new OperatorError('The records are of an older version. Run `npm run migrate` first.');
  // This version does not know all tables and columns.
  if (migration > LAST_MIGRATION)
    throw new OperatorError(
      `The records are of a newer version (${migration}). Back up with that version.`,
    );
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new OperatorError(`${folder} is not empty.`);

  const out = new CheckedFiles(folder);
  const keys = new Set<string>();
  const keyOfBlob = new Map<string, string | null>();
  const inSnapshot = new Set<string>();
  const copyBlob = async (hash: string, bytes: Uint8Array) => {
    keyOfBlob.set(blobFile(hash), keyIdOfBytes(bytes));
    await out.write(blobFile(hash), once(bytes));
  };
  for (const name of await files.names()) {
    const bytes = HASH.test(name) ? await files.read(name) : null;
    if (bytes) await copyBlob(name, bytes);
  }

  const tables = await retried(() =>
    withSnapshot(db, async (snapshot) => {
      const counts: Manifest['tables'] = [];
      inSnapshot.clear();
      for (const table of backedUpTables) {
        let rows = 0;
        const lines = async function* () {
          for await (const row of rowsOf(snapshot, table)) {
            rows += 1;
            yield `${toText(table.name === 'blobs' ? await withoutBytes(row) : row)}\n`;
          }
        };
        await out.write(tableFile(table.name), lines());
        counts.push({ name: table.name, rows });
      }
      for (const id of await neededKeys(snapshot)) keys.add(id);
      return counts;
    }),
  );

  async function withoutBytes(row: Row): Promise<Row> {
    const hash = String(row['hash']);
    inSnapshot.add(blobFile(hash));
    if (row['bytes'] instanceof Uint8Array) await copyBlob(hash, row['bytes']);
    else if (!out.has(blobFile(hash))) {
      const bytes = await files.read(hash);
      if (!bytes) throw new BlobGone(hash);
      await copyBlob(hash, bytes);
    }
    return { ...row, bytes: null };
  }

  for (const [name, id] of keyOfBlob) {
    if (!inSnapshot.has(name)) await out.remove(name);
    else if (id !== null) keys.add(id);
  }
  if (withKeys) {
    const givenKeys = withKeys.read();
    const ids = givenKeys.map(keyIdOf);
    const missing = [...keys].filter((id) => !ids.includes(id));
    if (missing.length > 0) {
      throw new OperatorError(`${withKeys.name} lacks the secret keys ${missing.join(', ')}.`);
    }
    const lines = givenKeys.map((key) => `${key.toString('base64')}\n`);
    await out.write(KEY_FILE, once(lines.join('')));
  }
  await out.writeSums();
  const manifest: Manifest = {
    format: FORMAT,
    createdAt: isoTime(now),
    version,
    migration,
    keys: [...keys],
    tables,
    blobs: inSnapshot.size,
  };
  await out.write(MANIFEST_FILE, once(`${JSON.stringify(manifest, null, 2)}\n`));
  return manifest;
}

const HASH = /^[0-9a-f]{64}$/;

async function retried<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof BlobGone) || tries === TRIES) throw error;
    }
  }
}

async function neededKeys(snapshot: Snapshot): Promise<string[]> {
  const rows = snapshot.selectFrom('encryption_keys').select('id').where('retired_at', 'is', null);
  return (await rows.execute()).map(({ id }) => String(id));
}
