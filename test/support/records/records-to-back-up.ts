import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { backUp } from '../../../src/records/backup/backup.ts';
import { blobFiles, blobRecords } from '../../../src/records/blobs.ts';
import type { BlobFiles } from '../../../src/records/engine/blob-files.ts';
import type { Database } from '../../../src/records/engine/database.ts';
import { keyIdOf } from '../../../src/records/engine/encryption/keyring.ts';
import { keySource, type KeySource } from '../../../src/records/keys/key-source.ts';
import { newPlace, type Place } from './database.ts';
import { testEncryptor } from './encryptor.ts';
import { fillTables } from './full-rows.ts';

export const ROWS = 3;
export const key = randomBytes(32);
export const keys = keySource({ TROUPE_SECRET_KEY: key.toString('base64'), DATA_DIR: '' });

export const filesAt = ({ env: { DATABASE_URL: url }, dataDir }: Place): BlobFiles =>
  blobFiles(url === undefined ? { dataDir } : { url });

type BackupOptions = { db?: Database; files?: BlobFiles; withKeys?: KeySource };

/** Records, and a folder for backups of them. */
export class RecordsToBackUp {
  readonly place: Place;
  readonly db: Database;
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'troupe-backup-'));

  private constructor(place: Place) {
    this.place = place;
    this.db = place.open();
  }

  static async open(): Promise<RecordsToBackUp> {
    return new RecordsToBackUp(await newPlace());
  }

  at(name: string): string {
    return path.join(this.#folder, name);
  }

  save(name: string, options: BackupOptions = {}) {
    return backUp({
      db: this.db,
      files: filesAt(this.place),
      folder: this.at(name),
      withKeys: null,
      version: '1.2.3',
      now: 0,
      ...options,
    });
  }

  /** Every table has rows; the blobs are where these records keep them. */
  async fill(): Promise<void> {
    const { db } = this;
    const encryptor = testEncryptor(key);
    const blobs = blobRecords(db, encryptor, filesAt(this.place));
    const hashes: string[] = [];
    for (let number = 0; number < ROWS; number += 1)
      hashes.push(await blobs.put(randomBytes(100_000), number));
    const blobRows = await db.selectFrom('blobs').selectAll().execute();
    await db.deleteFrom('blobs').execute();
    await fillTables(db, ROWS, {
      'blobs.hash': hashes,
      // The last key is not retired.
      'encryption_keys.id': ['00000001', '00000002', keyIdOf(key)],
      'accounts.name': ['one line\u2028another', 'two\nlines', 'Zoë'],
    });
    for (const { hash, ...columns } of blobRows)
      await db.updateTable('blobs').set(columns).where('hash', '=', hash).execute();
  }

  async close(): Promise<void> {
    await this.db.destroy();
    await this.place.remove();
    rmSync(this.#folder, { recursive: true });
  }
}
