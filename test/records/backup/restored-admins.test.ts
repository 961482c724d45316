import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CheckedFiles, once } from '../../../src/records/backup/checked-files.ts';
import { MANIFEST_FILE, tableFile } from '../../../src/records/backup/manifest.ts';
import { restore } from '../../../src/records/backup/restore.ts';
import { blobFiles } from '../../../src/records/blobs.ts';
import { openDatabase, type Database } from '../../../src/records/engine/database.ts';
import { Lists } from '../../../src/records/engine/pages.ts';
import { personRecords, type PersonRecord } from '../../../src/records/people/people.ts';
import { filesAt, keys, RecordsToBackUp } from '../../support/records/records-to-back-up.ts';
import { newPlace } from '../../support/records/database.ts';

const ada = {
  accountId: null,
  role: null,
  operatorSince: 7,
  isAdmin: true,
  name: 'ada',
  passwordHash: 'hash',
  createdAt: 7,
};

const peopleIn = (db: Database) => personRecords(db, new Lists(Buffer.alloc(32)));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'troupe-restore-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('administrators', () => {
  test('are restored from a backup, also for the version before', async () => {
    const records = await RecordsToBackUp.open();
    await peopleIn(records.db).add(ada);
    await records.save('backup');
    const place = await newPlace({ isBare: true });
    const db = place.open();

    await restore({ db, files: filesAt(place), folder: records.at('backup'), keys });

    expect(await peopleIn(db).findAdmin('ada')).toMatchObject(ada);
    const rows = db.selectFrom('admins' as 'people').select(['name', 'password_hash']);
    expect(await rows.execute()).toEqual([{ name: 'ada', password_hash: 'hash' }]);
    await db.destroy();
    await place.remove();
    await records.close();
  });

  test('are restored from a backup of the version before', async () => {
    await writeBackup({ id: '1', name: 'ada', password_hash: 'hash', created_at: 7 });
    const dataDir = path.join(folder, 'target');
    const db = openDatabase({ dataDir });

    await restore({ db, files: blobFiles({ dataDir }), folder, keys });

    const restored: PersonRecord = { ...ada, id: '1', openidSubject: null, lastSignInAt: null };
    expect(await peopleIn(db).findAdmin('ada')).toEqual(restored);
    await db.destroy();
  });
});

/** With this administrator alone. */
async function writeBackup(admin: Record<string, string | number>): Promise<void> {
  const files = new CheckedFiles(folder);
  await files.write(tableFile('admins'), once(`${JSON.stringify(admin)}\n`));
  await files.writeSums();
  const manifest = {
    format: 1,
    createdAt: '2026-01-01T00:00:00Z',
    version: '1.2.3',
    migration: '0027-metric-history',
    keys: [],
    tables: [{ name: 'admins', rows: 1 }],
    blobs: 0,
  };
  await files.write(MANIFEST_FILE, once(JSON.stringify(manifest)));
}
