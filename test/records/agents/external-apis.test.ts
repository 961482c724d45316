import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newRecordId } from '#shared/ids.ts';
import { accountRecords } from '../../../src/records/accounts/accounts.ts';
import type { Database } from '../../../src/records/engine/database.ts';
import {
  externalApiRecords,
  type ExternalApi,
  type ExternalApiRecords,
} from '../../../src/records/agents/external-apis.ts';
import { Lists } from '../../../src/records/engine/pages.ts';
import { newDatabase } from '../../support/records/database.ts';
import { testEncryptor } from '../../support/records/encryptor.ts';

let db: Database;
let apis: ExternalApiRecords;
let api: ExternalApi;

const secret = randomBytes(32);
const encryptor = testEncryptor(secret);

beforeEach(async () => {
  db = await newDatabase();
  apis = externalApiRecords(db, encryptor, new Lists(secret));
  const { id: accountId } = await accountRecords(db).first(0);
  const fields = { type: 'openai_compatible_llm', name: 'Model', url: 'https://x' } as const;
  api = { id: newRecordId(), accountId, ...fields, createdAt: 0 };
  await apis.insert({ ...api, apiKey: 'sk-first' });
});
afterEach(() => db.destroy());

const sealed = async () =>
  (await db.selectFrom('external_apis').select('api_key_sealed').executeTakeFirstOrThrow())
    .api_key_sealed;

describe('external API records', () => {
  test('are read as written, without the key', async () => {
    expect(await apis.find(api.accountId, api.id)).toEqual(api);
    expect((await apis.page(api.accountId, { limit: 1 })).data).toEqual([api]);
  });

  test('encrypt the key for its own row', async () => {
    expect(encryptor.decrypt(await sealed(), `external_apis/${api.id}`)).toBe('sk-first');
    expect(await sealed()).not.toContain('sk-first');
  });

  test('encrypt a replaced key', async () => {
    await apis.update(api.accountId, api.id, { apiKey: 'sk-second' });

    expect(encryptor.decrypt(await sealed(), `external_apis/${api.id}`)).toBe('sk-second');
  });

  test('keep the key when it is absent from a change', async () => {
    const sealedBefore = await sealed();

    const change = { name: 'Another', url: 'https://y' };
    expect(await apis.update(api.accountId, api.id, change)).toBe(true);
    expect(await apis.update(api.accountId, api.id, {})).toBe(true);

    expect(await sealed()).toBe(sealedBefore);
    expect(await apis.find(api.accountId, api.id)).toEqual({ ...api, ...change });
  });

  test('are visible to their account only', async () => {
    expect(await apis.find('another', api.id)).toBeNull();
    expect(await apis.update('another', api.id, { name: 'Mine' })).toBe(false);
    expect(await apis.delete('another', api.id)).toBe(false);
    expect((await apis.page('another', { limit: 1 })).data).toEqual([]);
  });
});
