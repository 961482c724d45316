import { hash, randomBytes } from 'node:crypto';
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { restore } from '../../../src/records/backup/restore.ts';
import type { Row } from '../../../src/records/backup/row-text.ts';
import { rowsOf, withSnapshot } from '../../../src/records/backup/snapshot.ts';
import { backedUpTables } from '../../../src/records/backup/tables.ts';
import { blobFiles, hashOf } from '../../../src/records/blobs.ts';
import type { BlobFiles } from '../../../src/records/engine/blob-files.ts';
import { openDatabase, type Database } from '../../../src/records/engine/database.ts';
import { keyIdOf } from '../../../src/records/engine/encryption/keyring.ts';
import { keySource, type KeySource } from '../../../src/records/keys/key-source.ts';
import { newPlace } from '../../support/records/database.ts';
import {
  filesAt,
  key,
  keys,
  RecordsToBackUp,
  ROWS,
} from '../../support/records/records-to-back-up.ts';

let records: RecordsToBackUp;
beforeEach(async () => {
  records = await RecordsToBackUp.open();
});
afterEach(() => records.close());

async function contentsOf(from: Database, files: BlobFiles) {
  const tables: Record<string, Row[]> = {};
  const blobs: Record<string, string> = {};
  await withSnapshot(from, async (snapshot) => {
    for (const table of backedUpTables) {
      const rows: Row[] = [];
      for await (const { bytes, ...row } of rowsOf(snapshot, table)) {
        if (table.name === 'blobs') {
          const stored = (bytes ?? (await files.read(String(row['hash'])))) as Uint8Array;
          blobs[String(row['hash'])] = hashOf(stored);
        }
        const values = { ...row, ...(table.name !== 'blobs' && bytes !== undefined && { bytes }) };
        rows.push(
          Object.fromEntries(
            Object.entries(values).map(([name, value]) => [
              name,
              value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
            ]),
          ),
        );
      }
      // The databases order text differently.
      tables[table.name] = rows.toSorted((a, b) =>
        JSON.stringify(a) < JSON.stringify(b) ? -1 : 1,
      );
    }
  });
  return { tables, blobs };
}

describe('a backup', () => {
  test('restores into empty records, of SQLite and of PostgreSQL, with the same contents', async () => {
    await records.fill();
    const originalContents = await contentsOf(records.db, filesAt(records.place));
    expect(Object.values(originalContents.tables).map(({ length }) => length)).toEqual(
      backedUpTables.map(() => ROWS),
    );

    const manifest = await records.save('first');
    const dataDir = records.at('sqlite');
    const sqlite = openDatabase({ dataDir });
    await restore({ db: sqlite, files: blobFiles({ dataDir }), folder: records.at('first'), keys });
    const inSqlite = await contentsOf(sqlite, blobFiles({ dataDir }));
    await records.save('second', { db: sqlite, files: blobFiles({ dataDir }) });
    await sqlite.destroy();
    const empty = await newPlace({ isBare: true });
    const sqliteDb = empty.open();
    await restore({ db: sqliteDb, files: filesAt(empty), folder: records.at('second'), keys });
    const copiedContents = await contentsOf(sqliteDb, filesAt(empty));
    await sqliteDb.destroy();
    await empty.remove();

    expect(inSqlite).toEqual(originalContents);
    expect(copiedContents).toEqual(originalContents);
    expect(manifest).toMatchObject({ version: '1.2.3', keys: [keyIdOf(key)], blobs: ROWS });
    expect(readdirSync(path.join(dataDir, 'blobs'))).toHaveLength(ROWS);
  });
});

const target = () => ({ dataDir: records.at('target') });

describe('a restoration', () => {
  let restored: Database;
  beforeEach(async () => {
    await records.fill();
    await records.save('first');
    restored = openDatabase(target());
  });
  afterEach(() => restored.destroy());

  const begin = (source: KeySource = keys) =>
    restore({
      db: restored,
      files: blobFiles(target()),
      folder: records.at('first'),
      keys: source,
    });
  const tablesInTarget = async () => (await restored.introspection.getTables()).length;

  test('refuses records that are not empty', async () => {
    await begin();

    await expect(begin()).rejects.toThrow('The records are not empty');
  });

  test.each([
    { what: 'a changed table', file: 'tables/calls.jsonl' },
    { what: 'a changed manifest of sums', file: 'SHA256SUMS' },
  ])('refuses $what and writes nothing', async ({ file }) => {
    appendFileSync(records.at(`first/${file}`), '{}\n');

    await expect(begin()).rejects.toThrow(/damaged|cannot be read/);
    expect(await tablesInTarget()).toBe(0);
  });

  test('refuses a missing blob and writes nothing', async () => {
    const [blob] = readdirSync(records.at('first/blobs'));
    rmSync(records.at(`first/blobs/${blob}`));

    await expect(begin()).rejects.toThrow(`damaged: blobs/${blob} has changed or is missing`);
    expect(await tablesInTarget()).toBe(0);
  });

  test('refuses a missing blob that SHA256SUMS does not list either, and writes nothing', async () => {
    const [blob] = readdirSync(records.at('first/blobs'));
    rmSync(records.at(`first/blobs/${blob}`));
    const sums = readFileSync(records.at('first/SHA256SUMS'), 'utf8').split('\n');
    writeFileSync(
      records.at('first/SHA256SUMS'),
      sums.filter((line) => !line.endsWith(blob!)).join('\n'),
    );

    await expect(begin()).rejects.toThrow(`damaged: it has ${ROWS - 1} of ${ROWS} blobs`);
    expect(await tablesInTarget()).toBe(0);
  });

  test('reads no file outside the backup, whatever its tables name', async () => {
    const file = records.at('first/tables/blobs.jsonl');
    const sums = records.at('first/SHA256SUMS');
    const manifest = readFileSync(file, 'utf8');
    const forgedManifest = manifest.replace(/"hash":"\w+"/, '"hash":"../../first/manifest.json"');
    writeFileSync(file, forgedManifest);
    const [formerSum, sum] = [manifest, forgedManifest].map((text) => hash('sha256', text));
    writeFileSync(sums, readFileSync(sums, 'utf8').replace(formerSum!, sum!));

    await expect(begin()).rejects.toThrow('damaged: blobs/../../first/manifest.json is missing');
  });

  test('refuses an unfinished backup', async () => {
    rmSync(records.at('first/manifest.json'));

    await expect(begin()).rejects.toThrow('is not a complete backup');
  });

  test('refuses a backup of a newer version', async () => {
    const manifest = readFileSync(records.at('first/manifest.json'), 'utf8');
    writeFileSync(
      records.at('first/manifest.json'),
      manifest.replace(/"migration": "[^"]+/, '"migration": "9999-later'),
    );

    await expect(begin()).rejects.toThrow('made by a newer version of Troupe (1.2.3)');
  });

  test('names the missing keys and writes nothing', async () => {
    const otherKey = randomBytes(32).toString('base64');
    const wrong = keySource({ TROUPE_SECRET_KEY: otherKey, DATA_DIR: '' });

    await expect(begin(wrong)).rejects.toThrow(
      `The backup needs the secret keys ${keyIdOf(key)}. Add them to TROUPE_SECRET_KEY first.`,
    );
    expect(await tablesInTarget()).toBe(0);
  });

  test('takes the keys from the backup if it holds them and there is no key file', async () => {
    rmSync(records.at('first'), { recursive: true });
    await records.save('first', { withKeys: keys });
    const source = keySource({ DATA_DIR: records.at('target') });

    await begin(source);

    expect(source.read()).toEqual([key]);
    expect(statSync(source.name).mode & 0o777).toBe(0o600);
  });

  test('makes no key file for records that were never encrypted', async () => {
    rmSync(records.at('first'), { recursive: true });
    await records.db.deleteFrom('encryption_keys').execute();
    // The files of blobs may be left.
    await records.db.deleteFrom('avatars').execute();
    await records.db.updateTable('agents').set({ logo_hash: null }).execute();
    await records.db.deleteFrom('blobs').execute();
    await records.save('first');
    const source = keySource({ DATA_DIR: records.at('target') });

    await begin(source);

    expect(source.read()).toEqual([]);
    expect(readdirSync(records.at('target'))).not.toContain('secret.key');
  });
});
