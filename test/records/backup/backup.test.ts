import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { backedUpTables } from '../../../src/records/backup/tables.ts';
import type { BlobFiles } from '../../../src/records/engine/blob-files.ts';
import { keyIdOf } from '../../../src/records/engine/encryption/keyring.ts';
import { keySource } from '../../../src/records/keys/key-source.ts';
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

describe('a backup', () => {
  test('holds every table', async () => {
    const tables = (await records.db.introspection.getTables())
      .map(({ name }) => name)
      // Triggers fill it.
      .filter((name) => name !== 'admins');

    expect(backedUpTables.map(({ name }) => name).sort()).toEqual(tables.sort());
  });

  test('of records of a newer version is refused', async () => {
    const newer = '9999-of-a-newer-version';
    await sql`insert into kysely_migration values (${newer}, 'now')`.execute(records.db);

    await expect(records.save('first')).rejects.toThrow(
      'The records are of a newer version (9999-of-a-newer-version). Back up with that version.',
    );

    // The next test may use the same database.
    await sql`delete from kysely_migration where name = ${newer}`.execute(records.db);
  });

  test('shows the records at one moment while the service writes', async () => {
    await records.fill();
    const otherConnection = records.place.open();
    const blob = await records.db.selectFrom('blobs').select('hash').executeTakeFirstOrThrow();
    await records.db.updateTable('blobs').set({ bytes: null }).execute();
    // Accounts were read before the blobs, and sessions are read after them.
    const files: BlobFiles = {
      ...filesAt(records.place),
      names: async () => [],
      async read(hash) {
        if (hash === blob.hash) {
          await otherConnection
            .insertInto('accounts')
            .values({ id: 'new', name: 'new', created_at: 0 })
            .execute();
          await otherConnection.updateTable('sessions').set({ account_id: 'new' }).execute();
        }
        return Buffer.from('bytes');
      },
    };

    await records.save('first', { files });

    const sessions = readFileSync(records.at('first/tables/sessions.jsonl'), 'utf8');
    expect(sessions.split('\n')).toHaveLength(ROWS + 1);
    expect(sessions).not.toContain('"account_id":"new"');
    expect(
      await otherConnection.selectFrom('sessions').select('account_id').execute(),
    ).toContainEqual({
      account_id: 'new',
    });
    await otherConnection.destroy();
  });

  test('begins again when a blob is removed before it is copied', async () => {
    await records.fill();
    const otherConnection = records.place.open();
    await otherConnection
      .insertInto('blobs')
      .values({ hash: 'f'.repeat(64), size: 1, bytes: null, kept_at: 0 })
      .execute();
    let reads = 0;
    const files: BlobFiles = {
      ...filesAt(records.place),
      async read(hash) {
        if (hash !== 'f'.repeat(64)) return filesAt(records.place).read(hash);
        reads += 1;
        await otherConnection.deleteFrom('blobs').where('hash', '=', hash).execute();
        return null;
      },
    };

    const manifest = await records.save('first', { files });

    expect(reads).toBe(1);
    expect(manifest.blobs).toBe(ROWS);
    expect(readdirSync(records.at('first/blobs'))).toHaveLength(ROWS);
    await otherConnection.destroy();
  });

  test('can be read by its owner only', async () => {
    await records.fill();
    await records.save('first', { withKeys: keys });

    for (const entry of readdirSync(records.at('first'), {
      recursive: true,
      withFileTypes: true,
    })) {
      const { mode } = statSync(path.join(entry.parentPath, entry.name));
      expect(mode & 0o777, entry.name).toBe(entry.isDirectory() ? 0o700 : 0o600);
    }
  });

  test('holds the secret key only if asked to', async () => {
    const text = key.toString('base64');
    await records.fill();

    await records.save('without');
    await records.save('with', { withKeys: keys });

    expect(readdirSync(records.at('without'))).not.toContain('secret.key');
    expect(readFileSync(records.at('with/secret.key'), 'utf8')).toBe(`${text}\n`);
  });

  test('is not complete without a key that it was asked to hold', async () => {
    await records.fill();
    const otherKeys = keySource({
      TROUPE_SECRET_KEY: randomBytes(32).toString('base64'),
      DATA_DIR: '',
    });

    await expect(records.save('with', { withKeys: otherKeys })).rejects.toThrow(
      `TROUPE_SECRET_KEY lacks the secret keys ${keyIdOf(key)}.`,
    );

    expect(readdirSync(records.at('with'))).not.toContain('manifest.json');
  });

  test('never mixes with other files', async () => {
    mkdirSync(records.at('used'));
    writeFileSync(records.at('used/notes'), 'mine');

    await expect(records.save('used')).rejects.toThrow('is not empty');
  });
});
