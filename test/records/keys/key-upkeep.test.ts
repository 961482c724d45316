import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { blobFiles, blobRecords } from '../../../src/records/blobs.ts';
import type { Database } from '../../../src/records/engine/database.ts';
import { keyIdOf } from '../../../src/records/engine/encryption/keyring.ts';
import { encryptedColumns } from '../../../src/records/keys/encrypted-columns.ts';
import { keyRecords } from '../../../src/records/keys/key-records.ts';
import { keySource } from '../../../src/records/keys/key-source.ts';
import { KeyUpkeep, REFRESH_MS, SETTLE_MS } from '../../../src/records/keys/key-upkeep.ts';
import { openKeyring, type OpenKeyring } from '../../../src/records/keys/open-keyring.ts';
import { listKeys, removeKey, rotateKey } from '../../../src/records/keys/rotation.ts';
import { readValue, replaceValue } from '../../../src/records/keys/stored-values.ts';
import { newPlace, type Place } from '../../support/records/database.ts';
import { fillTables } from '../../support/records/full-rows.ts';
import { TestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';

const ROWS = 60;

let place: Place;
let db: Database;
let clock: TestClock;
let opened: OpenKeyring;
let upkeep: KeyUpkeep;
let logged: Record<string, unknown>[];
beforeEach(async () => {
  place = await newPlace();
  db = place.open();
  clock = new TestClock();
  logged = [];
});
afterEach(async () => {
  await upkeep.close();
  expect(clock.waiting).toBe(0);
  await db.destroy();
  await place.remove();
});

const source = () => keySource({ DATA_DIR: place.dataDir });
const files = () =>
  place.env.DATABASE_URL === undefined
    ? blobFiles({ dataDir: place.dataDir })
    : blobFiles({ url: place.env.DATABASE_URL });
const log = createLog(
  { name: 'test' },
  { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
);

async function open(): Promise<void> {
  opened = await openKeyring(db, source(), clock.now());
  upkeep = new KeyUpkeep({ db, files: files(), ...opened, clock, log });
}

/** Fills every table with text and bytes in clear, as an earlier version did. */
async function fill(): Promise<void> {
  await fillTables(db, ROWS, {});
  await db.deleteFrom('encryption_keys').execute();
  await db.deleteFrom('service_secrets').execute();
}

async function completed(): Promise<void> {
  await until(async () => {
    clock.advance(REFRESH_MS);
    const newest = (await keyRecords(db).list()).at(-1);
    return newest?.completedAt !== null;
  });
}

/** The source of keys in the environment. */
const sourceOf = (...keys: Buffer[]) =>
  keySource({
    TROUPE_SECRET_KEY: keys.map((key) => key.toString('base64')).join(','),
    DATA_DIR: place.dataDir,
  });

/** All values of all encrypted columns, decrypted. */
async function allValues(): Promise<string[]> {
  const values: string[] = [];
  for (const { table, key, column, placeOf } of encryptedColumns) {
    const rows = (await db
      .selectFrom(table as 'calls')
      .selectAll()
      .execute()) as unknown as Record<string, string | number | Uint8Array | null>[];
    for (const row of rows) {
      const stored = row[column];
      if (stored === null || stored === undefined) continue;
      const at = placeOf(key.map((name) => row[name] as string));
      const value =
        typeof stored === 'string'
          ? opened.encryptor.readText(stored, at)
          : Buffer.from(opened.encryptor.readBytes(stored as Uint8Array, at)).toString('base64');
      values.push(`${at}: ${value}`);
    }
  }
  return values.sort();
}

describe('rows in clear of an earlier version', () => {
  test('are encrypted in the background, and read the same before and after', async () => {
    await fill();
    await open();
    const valuesBefore = await allValues();
    expect(valuesBefore.length).toBeGreaterThan(ROWS * 15);
    expect((await listKeys(db, files(), source())).clear).toBeGreaterThan(ROWS * 15);

    upkeep.start();
    await completed();

    const list = await listKeys(db, files(), source());
    expect(list).toMatchObject({ clear: 0, earlier: 0, keys: [{ state: 'current' }] });
    expect(list.keys[0]?.values).toBe(valuesBefore.length);
    expect(await allValues()).toEqual(valuesBefore);
  });
});

const rotate = () => rotateKey(db, source(), clock.now());

describe('a rotation', () => {
  test('re-encrypts every value and every blob; then the old key can be removed', async () => {
    await fill();
    await open();
    const blobs = blobRecords(db, opened.encryptor, files());
    const hash = await blobs.put(Buffer.from('a face'), clock.now());
    upkeep.start();
    await completed();
    const old = opened.keyring.current.id;
    const valuesBefore = await allValues();

    const nextKeyId = await rotate();
    expect(await removeKey(db, files(), source(), old)).toContain('still needed');
    await completed();

    expect(opened.keyring.current.id).toBe(nextKeyId);
    expect(await allValues()).toEqual(valuesBefore);
    expect((await blobs.read(hash))?.toString()).toBe('a face');
    expect(await removeKey(db, files(), source(), nextKeyId!)).toContain('is the current key');
    expect(await removeKey(db, files(), source(), old)).toBeNull();
    expect(source().read().map(keyIdOf)).toEqual([nextKeyId]);
    // Nothing needs the old key: a process that never had it reads everything.
    opened = await openKeyring(db, source(), clock.now());
    expect(await allValues()).toEqual(valuesBefore);
    const read = blobRecords(db, opened.encryptor, files());
    expect((await read.read(hash))?.toString()).toBe('a face');
  });

  test('waits until all control planes use the new key', async () => {
    await open();
    upkeep.start();
    await rotate();

    clock.advance(SETTLE_MS - 1);
    await until(() => logged.some(({ msg }) => msg === 'secret key changed'));

    expect((await keyRecords(db).list()).at(-1)?.completedAt).toBeNull();
    await completed();
  });

  test('takes effect while values are still re-encrypted with the key before', async () => {
    await fill();
    await open();
    const firstKeyId = opened.keyring.current.id;
    upkeep.start();
    await until(async () => {
      clock.advance(REFRESH_MS);
      const { keys } = await listKeys(db, files(), source());
      return keys.some(({ id, values }) => id === firstKeyId && values > 1);
    });

    const nextKeyId = await rotate();
    await until(() => {
      clock.advance(REFRESH_MS);
      return opened.keyring.current.id === nextKeyId;
    });

    const [oldKey] = await keyRecords(db).list();
    expect(oldKey).toMatchObject({ id: firstKeyId, completedAt: null });
    await completed();
    expect(await removeKey(db, files(), source(), firstKeyId)).toBeNull();
  });

  test('keeps a value that changes meanwhile', async () => {
    await fill();
    await open();
    const column = encryptedColumns.find((each) => each.column === 'message')!;
    const { id, message } = await db
      .selectFrom('call_messages')
      .select(['id', 'message'])
      .executeTakeFirstOrThrow();
    await db.updateTable('call_messages').set({ message: 'new' }).where('id', '=', id).execute();

    expect(await replaceValue(db, column, [id], message, 'encrypted')).toBe(false);

    expect(await readValue(db, column, [id])).toBe('new');
    expect(await replaceValue(db, column, [id], 'new', 'encrypted')).toBe(true);
  });

  test('goes on past a value that cannot be decrypted, and keeps the old key', async () => {
    await fill();
    await open();
    upkeep.start();
    await completed();
    const old = opened.keyring.current.id;
    const { id } = await db.selectFrom('call_messages').select('id').executeTakeFirstOrThrow();
    const stored = opened.encryptor.encrypt('Hello?', 'call_messages/other/message');
    await db.updateTable('call_messages').set({ message: stored }).where('id', '=', id).execute();

    const nextKeyId = await rotate();
    const find = () => logged.find(({ msg }) => msg === 'records not re-encrypted completely');
    await until(() => {
      clock.advance(REFRESH_MS);
      return find() !== undefined;
    });

    expect(find()).toMatchObject({ keyId: nextKeyId, failed: 1 });
    expect(logged).toContainEqual(
      expect.objectContaining({
        msg: 'value not re-encrypted',
        place: `call_messages/${id}/message`,
      }),
    );
    const { keys } = await listKeys(db, files(), source());
    expect(keys).toContainEqual({ id: old, state: 'decrypts', isGiven: true, values: 1 });
    expect(await removeKey(db, files(), source(), old)).toContain('still needed');
  });

  test('names the key that this control plane was not given', async () => {
    await open();
    await keyRecords(db).activate('0badc0de', clock.now() + 1);

    upkeep.start();
    await until(() => logged.length > 0);

    expect(logged[0]).toMatchObject({
      level: 50,
      keyId: '0badc0de',
      msg: 'current secret key missing: add it to this control plane',
    });
  });

  test('takes an unused given key, and makes none in the environment', async () => {
    await open();
    const [ownKey] = source().read();
    const spare = randomBytes(32);
    expect(await rotateKey(db, sourceOf(ownKey!), clock.now())).toBeNull();
    expect(await rotateKey(db, sourceOf(ownKey!, spare), clock.now() + 1)).toBe(keyIdOf(spare));
    expect(await rotateKey(db, sourceOf(ownKey!, spare), clock.now() + 2)).toBeNull();
  });
});
