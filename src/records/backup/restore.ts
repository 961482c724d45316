/* Copies a backup into empty records. Everything is checked before anything is written. */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Kysely } from 'kysely';
import { OperatorError } from '#shared/process/operator-error.ts';
import type { BlobFiles } from '../engine/blob-files.ts';
import type { Database } from '../engine/database.ts';
import { keyIdOf } from '../engine/encryption/keyring.ts';
import { keySource, type KeySource } from '../keys/key-source.ts';
import { lastMigration, migrate, migrations } from '../migrations/migrate.ts';
import { checkFiles } from './checked-files.ts';
import { blobFile, KEY_FILE, readManifest, tableFile, type Manifest } from './manifest.ts';
import { fromText, type Row } from './row-text.ts';

export type RestoreParts = {
  db: Database;
  files: BlobFiles;
  folder: string;
  keys: KeySource;
};

/** Keeps statements below the databases' limits of parameters. */
const BATCH = 100;

export async function restore({ db, files, folder, keys }: RestoreParts): Promise<Manifest> {
  const manifest = readManifest(folder);
  if (!Object.hasOwn(migrations, manifest.migration)) {
    throw new OperatorError(
      `The backup was made by a newer version of Troupe (${manifest.version}).`,
    );
  }
  const names = await checkFiles(folder);
  for (const { name } of manifest.tables) {
    if (!names.has(tableFile(name)))
      throw new OperatorError(`The backup is damaged: ${name} is missing.`);
  }
  const blobs = [...names].filter((name) => name.startsWith(blobFile('')));
  if (blobs.length !== manifest.blobs) {
    throw new OperatorError(
      `The backup is damaged: it has ${blobs.length} of ${manifest.blobs} blobs.`,
    );
  }
  await refuseUnlessEmpty(db, files, manifest);
  restoreKeys(manifest, folder, names.has(KEY_FILE), keys);

  await migrate(db, manifest.migration);
  await db.transaction().execute(async (trx) => {
    const target = trx as unknown as Kysely<Record<string, Row>>;
    for (const { name, rows } of manifest.tables) {
      let inserted = 0;
      for await (const batch of batchesOf(path.join(folder, tableFile(name)), name)) {
        const values = name === 'blobs' ? await withBytes(batch, { names, files, folder }) : batch;
        await target.insertInto(name).values(values).execute();
        inserted += batch.length;
      }
      if (inserted !== rows) {
        throw new OperatorError(`The backup is damaged: ${name} has ${inserted} of ${rows} rows.`);
      }
    }
  });
  await migrate(db);
  return manifest;
}

async function refuseUnlessEmpty(db: Database, files: BlobFiles, { migration }: Manifest) {
  const appliedMigration = await lastMigration(db);
  if (appliedMigration !== null && appliedMigration !== migration) {
    throw new OperatorError(
      `The tables are of another version (${appliedMigration}) than the backup (${migration}).`,
    );
  }
  const tables = db as unknown as Kysely<Record<string, Row>>;
  for (const { name } of await db.introspection.getTables()) {
    const row = await tables.selectFrom(name).selectAll().limit(1).executeTakeFirst();
    if (row) throw notEmpty(`rows in ${name}`);
  }
  if ((await files.names()).length > 0) {
    throw notEmpty('blobs');
  }
}

const notEmpty = (contents: string): Error =>
  new OperatorError(
    `The records are not empty: there are ${contents}. Restore into a new DATA_DIR, or a new database.`,
  );

/** Writes the keys of the backup if there is no key file. Throws if keys are missing then. */
function restoreKeys(manifest: Manifest, folder: string, hasKeys: boolean, keys: KeySource): void {
  const backedUpKeys = hasKeys
    ? keySource({ TROUPE_SECRET_KEY_FILE: path.join(folder, KEY_FILE), DATA_DIR: folder }).read()
    : [];
  const isNew = keys.file !== null && keys.read().length === 0;
  const knownIds = new Set([...keys.read(), ...(isNew ? backedUpKeys : [])].map(keyIdOf));
  const missing = manifest.keys.filter((id) => !knownIds.has(id));
  if (missing.length > 0) {
    const where = hasKeys ? ` They are in ${KEY_FILE} of the backup.` : '';
    throw new OperatorError(
      `The backup needs the secret keys ${missing.join(', ')}. Add them to ${keys.name} first.${where}`,
    );
  }
  // Records that were never encrypted have no key yet; an empty key file would be refused.
  if (isNew && backedUpKeys.length > 0) keys.file?.create(backedUpKeys);
}

async function* batchesOf(file: string, table: string): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  // Rows of knowledge files may be large.
  const size = table.startsWith('knowledge') || table === 'blobs' ? 1 : BATCH;
  for await (const line of linesOf(file)) {
    batch.push(fromText(line));
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** `node:readline` would also split at U+2028, which JSON does not escape. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let parts: string[] = [];
  for await (const chunk of createReadStream(file, 'utf8') as AsyncIterable<string>) {
    const [firstPart = '', ...lines] = chunk.split('\n');
    parts.push(firstPart);
    for (const line of lines) {
      yield parts.join('');
      parts = [line];
    }
  }
}

/** Into files or rows, wherever these records keep them. */
async function withBytes(
  rows: Row[],
  { names, files, folder }: Pick<RestoreParts, 'files' | 'folder'> & { names: Set<string> },
): Promise<Row[]> {
  return Promise.all(
    rows.map(async (row) => {
      const hash = String(row['hash']);
      // Only checked files are read, and none outside the backup.
      if (!names.has(blobFile(hash))) {
        throw new OperatorError(`The backup is damaged: ${blobFile(hash)} is missing.`);
      }
      const bytes = await readFile(path.join(folder, blobFile(hash)));
      const staged = await files.stage(bytes);
      await staged?.keepAs(hash);
      return { ...row, bytes: staged ? null : bytes };
    }),
  );
}
