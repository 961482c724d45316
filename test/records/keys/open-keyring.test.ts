import { createCipheriv, randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { externalApiRecords } from '../../../src/records/agents/external-apis.ts';
import type { Database } from '../../../src/records/engine/database.ts';
import { keyIdOf } from '../../../src/records/engine/encryption/keyring.ts';
import { Lists } from '../../../src/records/engine/pages.ts';
import { keyRecords } from '../../../src/records/keys/key-records.ts';
import { keySource, type KeySettings } from '../../../src/records/keys/key-source.ts';
import { openKeyring } from '../../../src/records/keys/open-keyring.ts';
import { newPlace, type Place } from '../../support/records/database.ts';

let place: Place;
let db: Database;
beforeEach(async () => {
  place = await newPlace();
  db = place.open();
});
afterEach(async () => {
  await db.destroy();
  await place.remove();
});

const [firstKey, secondKey] = [randomBytes(32), randomBytes(32)];
const settingsOf = (...keys: Buffer[]): Pick<KeySettings, 'TROUPE_SECRET_KEY'> => ({
  TROUPE_SECRET_KEY: keys.map((key) => key.toString('base64')).join(','),
});
const open = (settings: Partial<KeySettings> = {}) =>
  openKeyring(db, keySource({ DATA_DIR: place.dataDir, ...settings }), 7);
const keyFile = () => path.join(place.dataDir, 'secret.key');

/** A row as an earlier version wrote it. */
async function addEarlierSecret(key: Buffer): Promise<void> {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from('external_apis/1'));
  const encrypted = Buffer.concat([cipher.update('sk-1'), cipher.final()]);
  const parts = [nonce, cipher.getAuthTag(), encrypted].map((part) => part.toString('base64url'));
  await db.insertInto('accounts').values({ id: 'a', name: 'a', created_at: 0 }).execute();
  await db
    .insertInto('external_apis')
    .values({
      id: '1',
      account_id: 'a',
      type: 'openai_compatible_llm',
      name: 'Model',
      url: 'https://llm.example',
      api_key_sealed: ['v1', ...parts].join('.'),
      created_at: 0,
      listed_at: 0,
    })
    .execute();
}

describe('new records', () => {
  test('get a key file, and need nothing re-encrypted', async () => {
    const { keyring } = await open();

    expect(existsSync(keyFile())).toBe(true);
    expect(await keyRecords(db).list()).toEqual([
      { id: keyring.current.id, activatedAt: 7, completedAt: 7, retiredAt: null },
    ]);
  });

  test('keep their keys and what they sign with', async () => {
    const firstOpening = await open();
    const secondOpening = await open();

    expect(secondOpening.keyring.current.id).toBe(firstOpening.keyring.current.id);
    expect(secondOpening.signingSecret).toEqual(firstOpening.signingSecret);
    expect(secondOpening.signingSecret).toHaveLength(32);
  });

  test('take the first of several given keys', async () => {
    const { keyring } = await open(settingsOf(secondKey, firstKey));

    expect(keyring.current.id).toBe(keyIdOf(secondKey));
    expect((await open(settingsOf(firstKey, secondKey))).keyring.current.id).toBe(
      keyIdOf(secondKey),
    );
  });

  test('have one first key, even when two control planes start at once', async () => {
    const results = await Promise.allSettled([
      open(settingsOf(firstKey)),
      open(settingsOf(secondKey)),
    ]);

    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await keyRecords(db).list()).toHaveLength(1);
  });
});

describe('a wrong or missing key', () => {
  test('is named when the key file is lost, and no other is made', async () => {
    const { keyring } = await open();
    rmSync(keyFile());

    await expect(open()).rejects.toThrow(
      `The records are encrypted with the secret key ${keyring.current.id}, which is missing. ` +
        `${keyFile()} does not exist. Add it and keep the others.`,
    );
    expect(existsSync(keyFile())).toBe(false);
  });

  test('is named when another is given', async () => {
    await open(settingsOf(firstKey));

    await expect(open(settingsOf(secondKey))).rejects.toThrow(
      `secret key ${keyIdOf(firstKey)}, which is missing. TROUPE_SECRET_KEY holds ${keyIdOf(secondKey)}.`,
    );
  });

  test('is named when values of an earlier rotation still need it', async () => {
    await open(settingsOf(firstKey, secondKey));
    await keyRecords(db).activate(keyIdOf(secondKey), 8);

    await expect(open(settingsOf(secondKey))).rejects.toThrow(keyIdOf(firstKey));
  });

  test('may be gone once no value needs it', async () => {
    await open(settingsOf(firstKey, secondKey));
    await keyRecords(db).activate(keyIdOf(secondKey), 8);
    const { encryptor, signingSecret } = await open(settingsOf(firstKey, secondKey));
    await db
      .updateTable('service_secrets')
      .set({
        value_sealed: encryptor.encrypt(
          signingSecret.toString('base64'),
          'service_secrets/signing/value',
        ),
      })
      .execute();
    const [, newest] = await keyRecords(db).list();
    await keyRecords(db).complete(newest!, 9);

    const secondOpening = await open(settingsOf(secondKey));

    expect(secondOpening.keyring.current.id).toBe(keyIdOf(secondKey));
    expect(secondOpening.signingSecret).toEqual(signingSecret);
  });
});

describe('records of an earlier version', () => {
  test('are read with their key, which still signs', async () => {
    await addEarlierSecret(firstKey);

    const { encryptor, signingSecret } = await open(settingsOf(secondKey, firstKey));

    const apis = externalApiRecords(db, encryptor, new Lists(signingSecret));
    expect(await apis.credentials('a', '1')).toMatchObject({ apiKey: 'sk-1' });
    expect(signingSecret).toEqual(firstKey);
    expect(await keyRecords(db).list()).toMatchObject([{ completedAt: null }]);
  });

  test('are refused with another key', async () => {
    await addEarlierSecret(firstKey);

    await expect(open(settingsOf(secondKey))).rejects.toThrow(
      `The records are encrypted with another secret key. TROUPE_SECRET_KEY holds ${keyIdOf(secondKey)}.`,
    );
    expect(await keyRecords(db).list()).toEqual([]);
  });

  test('are refused when their key file is lost', async () => {
    await addEarlierSecret(firstKey);

    await expect(open()).rejects.toThrow(`${keyFile()} does not exist.`);
    expect(existsSync(keyFile())).toBe(false);
  });
});
