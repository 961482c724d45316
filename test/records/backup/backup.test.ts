import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { backUp } from '../../../src/records/backup/backup.ts';
import { restore } from '../../../src/records/backup/restore.ts';
import type { Row } from '../../../src/records/backup/row-text.ts';
import { rowsOf, withSnapshot } from '../../../src/records/backup/snapshot.ts';
import { backedUpTables } from '../../../src/records/backup/tables.ts';
import { blobFiles, blobRecords, hashOf } from '../../../src/records/blobs.ts';
import type { BlobFiles } from '../../../src/records/engine/blob-files.ts';
import { openDatabase, type Database } from '../../../src/records/engine/database.ts';
import { keyIdOf } from '../../../src/records/engine/keyring.ts';
import { keySource, type KeySource } from '../../../src/records/keys/key-source.ts';
import { newPlace, type Place } from '../../support/records/database.ts';
import { testEncryptor } from '../../support/records/encryptor.ts';
import { fillTables } from '../../support/records/full-rows.ts';

const ROWS = 3;
const key = randomBytes(32);

let folder: string;
let place: Place;
let db: Database;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'troupe-backup-'));
  place = await newPlace();
  db = place.open();
});
afterEach(async () => {
  await db.destroy();
  await place.remove();
  rmSync(folder, { recursive: true });
});

const keys = keySource({ TROUPE_SECRET_KEY: key.toString('base64'), DATA_DIR: '' });
const filesAt = ({ env: { DATABASE_URL: url }, dataDir }: Place): BlobFiles =>
  blobFiles(url === undefined ? { dataDir } : { url });
const at = (name: string) => path.join(folder, name);

const save = (name: string, more: { files?: BlobFiles; withKeys?: KeySource } = {}) =>
  backUp({
    db,
    files: filesAt(place),
    folder: at(name),
    withKeys: null,
    version: '1.2.3',
    now: 0,
    ...more,
  });

/** Every table has rows; the blobs are where these records keep them. */
async function fill(): Promise<void> {
  const encryptor = testEncryptor(key);
  const blobs = blobRecords(db, encryptor, filesAt(place));
  const hashes: string[] = [];
  for (let number = 0; number < ROWS; number += 1)
    hashes.push(await blobs.put(randomBytes(100_000), number));
  const kept = await db.selectFrom('blobs').selectAll().execute();
  await db.deleteFrom('blobs').execute();
  await fillTables(db, ROWS, {
    'blobs.hash': hashes,
    // The last key is not retired.
    'encryption_keys.id': ['00000001', '00000002', keyIdOf(key)],
    'accounts.name': ['one line\u2028another', 'two\nlines', 'Zoë'],
  });
  for (const { hash, ...columns } of kept)
    await db.updateTable('blobs').set(columns).where('hash', '=', hash).execute();
}

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
  test('holds every table', async () => {
    const tables = (await db.introspection.getTables()).map(({ name }) => name);

    expect(backedUpTables.map(({ name }) => name).sort()).toEqual(tables.sort());
  });

  test('restores into empty records, of SQLite and of PostgreSQL, with the same contents', async () => {
    await fill();
    const before = await contentsOf(db, filesAt(place));
    expect(Object.values(before.tables).map(({ length }) => length)).toEqual(
      backedUpTables.map(() => ROWS),
    );

    const manifest = await save('first');
    const dataDir = at('sqlite');
    const sqlite = openDatabase({ dataDir });
    await restore({ db: sqlite, files: blobFiles({ dataDir }), folder: at('first'), keys });
    const inSqlite = await contentsOf(sqlite, blobFiles({ dataDir }));
    await backUp({
      db: sqlite,
      files: blobFiles({ dataDir }),
      folder: at('second'),
      withKeys: null,
      version: '1.2.3',
      now: 0,
    });
    await sqlite.destroy();
    const empty = await newPlace({ isBare: true });
    const again = empty.open();
    await restore({ db: again, files: filesAt(empty), folder: at('second'), keys });
    const after = await contentsOf(again, filesAt(empty));
    await again.destroy();
    await empty.remove();

    expect(inSqlite).toEqual(before);
    expect(after).toEqual(before);
    expect(manifest).toMatchObject({ version: '1.2.3', keys: [keyIdOf(key)], blobs: ROWS });
    expect(readdirSync(path.join(dataDir, 'blobs'))).toHaveLength(ROWS);
  });

  test('shows the records at one moment while the service writes', async () => {
    await fill();
    const other = place.open();
    const blob = await db.selectFrom('blobs').select('hash').executeTakeFirstOrThrow();
    await db.updateTable('blobs').set({ bytes: null }).execute();
    // Accounts were read before the blobs, and sessions are read after them.
    const files: BlobFiles = {
      ...filesAt(place),
      names: async () => [],
      async read(hash) {
        if (hash === blob.hash) {
          await other
            .insertInto('accounts')
            .values({ id: 'new', name: 'new', created_at: 0 })
            .execute();
          await other.updateTable('sessions').set({ account_id: 'new' }).execute();
        }
        return Buffer.from('bytes');
      },
    };

    await save('first', { files });

    const sessions = readFileSync(at('first/tables/sessions.jsonl'), 'utf8');
    expect(sessions.split('\n')).toHaveLength(ROWS + 1);
    expect(sessions).not.toContain('"account_id":"new"');
    expect(await other.selectFrom('sessions').select('account_id').execute()).toContainEqual({
      account_id: 'new',
    });
    await other.destroy();
  });

  test('begins again when a blob is removed before it is copied', async () => {
    await fill();
    const other = place.open();
    await other
      .insertInto('blobs')
      .values({ hash: 'f'.repeat(64), size: 1, bytes: null, kept_at: 0 })
      .execute();
    let reads = 0;
    const files: BlobFiles = {
      ...filesAt(place),
      async read(hash) {
        if (hash !== 'f'.repeat(64)) return filesAt(place).read(hash);
        reads += 1;
        await other.deleteFrom('blobs').where('hash', '=', hash).execute();
        return null;
      },
    };

    const manifest = await save('first', { files });

    expect(reads).toBe(1);
    expect(manifest.blobs).toBe(ROWS);
    expect(readdirSync(at('first/blobs'))).toHaveLength(ROWS);
    await other.destroy();
  });

  test('can be read by its owner only', async () => {
    await fill();
    await save('first', { withKeys: keys });

    for (const entry of readdirSync(at('first'), { recursive: true, withFileTypes: true })) {
      const { mode } = statSync(path.join(entry.parentPath, entry.name));
      expect(mode & 0o777, entry.name).toBe(entry.isDirectory() ? 0o700 : 0o600);
    }
  });

  test('holds the secret key only if asked to', async () => {
    const text = key.toString('base64');
    await fill();

    await save('without');
    await save('with', { withKeys: keys });

    expect(readdirSync(at('without'))).not.toContain('secret.key');
    expect(readFileSync(at('with/secret.key'), 'utf8')).toBe(`${text}\n`);
  });

  test('is not complete without a key that it was asked to hold', async () => {
    await fill();
    const other = keySource({
      TROUPE_SECRET_KEY: randomBytes(32).toString('base64'),
      DATA_DIR: '',
    });

    await expect(save('with', { withKeys: other })).rejects.toThrow(
      `TROUPE_SECRET_KEY lacks the secret keys ${keyIdOf(key)}.`,
    );

    expect(readdirSync(at('with'))).not.toContain('manifest.json');
  });

  test('never mixes with other files', async () => {
    mkdirSync(at('used'));
    writeFileSync(at('used/notes'), 'mine');

    await expect(save('used')).rejects.toThrow('is not empty');
  });
});

const target = () => ({ dataDir: at('target') });

describe('a restoration', () => {
  let restored: Database;
  beforeEach(async () => {
    await fill();
    await save('first');
    restored = openDatabase(target());
  });
  afterEach(() => restored.destroy());

  const begin = (given: KeySource = keys) =>
    restore({ db: restored, files: blobFiles(target()), folder: at('first'), keys: given });
  const tablesInTarget = async () => (await restored.introspection.getTables()).length;

  test('refuses records that are not empty', async () => {
    await begin();

    await expect(begin()).rejects.toThrow('The records are not empty');
  });

  test.each([
    { what: 'a changed table', file: 'tables/calls.jsonl' },
    { what: 'a changed manifest of sums', file: 'SHA256SUMS' },
  ])('refuses $what and writes nothing', async ({ file }) => {
    appendFileSync(at(`first/${file}`), '{}\n');

    await expect(begin()).rejects.toThrow(/damaged|cannot be read/);
    expect(await tablesInTarget()).toBe(0);
  });

  test('refuses a missing blob and writes nothing', async () => {
    const [blob] = readdirSync(at('first/blobs'));
    rmSync(at(`first/blobs/${blob}`));

    await expect(begin()).rejects.toThrow(`damaged: blobs/${blob} has changed or is missing`);
    expect(await tablesInTarget()).toBe(0);
  });

  test('refuses a missing blob that SHA256SUMS does not list either, and writes nothing', async () => {
    const [blob] = readdirSync(at('first/blobs'));
    rmSync(at(`first/blobs/${blob}`));
    const sums = readFileSync(at('first/SHA256SUMS'), 'utf8').split('\n');
    writeFileSync(at('first/SHA256SUMS'), sums.filter((line) => !line.endsWith(blob!)).join('\n'));

    await expect(begin()).rejects.toThrow(`damaged: it has ${ROWS - 1} of ${ROWS} blobs`);
    expect(await tablesInTarget()).toBe(0);
  });

  test('refuses an unfinished backup', async () => {
    rmSync(at('first/manifest.json'));

    await expect(begin()).rejects.toThrow('is not a complete backup');
  });

  test('refuses a backup of a newer version', async () => {
    const manifest = readFileSync(at('first/manifest.json'), 'utf8');
    writeFileSync(
      at('first/manifest.json'),
      manifest.replace(/"migration": "[^"]+/, '"migration": "9999-later'),
    );

    await expect(begin()).rejects.toThrow('made by a newer version of Troupe (1.2.3)');
  });

  test('names the missing keys and writes nothing', async () => {
    const other = randomBytes(32).toString('base64');
    const wrong = keySource({ TROUPE_SECRET_KEY: other, DATA_DIR: '' });

    await expect(begin(wrong)).rejects.toThrow(
      `The backup needs the secret keys ${keyIdOf(key)}. Add them to TROUPE_SECRET_KEY first.`,
    );
    expect(await tablesInTarget()).toBe(0);
  });

  test('takes the keys from the backup if it holds them and there is no key file', async () => {
    rmSync(at('first'), { recursive: true });
    await save('first', { withKeys: keys });
    const source = keySource({ DATA_DIR: at('target') });

    await begin(source);

    expect(source.read()).toEqual([key]);
    expect(statSync(source.name).mode & 0o777).toBe(0o600);
  });

  test('makes no key file for records that were never encrypted', async () => {
    rmSync(at('first'), { recursive: true });
    await db.deleteFrom('encryption_keys').execute();
    // The files of blobs may be left.
    await db.deleteFrom('avatars').execute();
    await db.deleteFrom('blobs').execute();
    await save('first');
    const source = keySource({ DATA_DIR: at('target') });

    await begin(source);

    expect(source.read()).toEqual([]);
    expect(readdirSync(at('target'))).not.toContain('secret.key');
  });
});
