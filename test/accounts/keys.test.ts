import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { apiKeys, type ApiKeys } from '../../src/accounts/keys.ts';
import { accountRecords } from '../../src/records/accounts/accounts.ts';
import { apiKeyRecords } from '../../src/records/accounts/api-keys.ts';
import type { Database } from '../../src/records/engine/database.ts';
import { newDatabase } from '../support/records/database.ts';
import { TestClock } from '../support/test-clock.ts';

let db: Database;
let keys: ApiKeys;
let clock: TestClock;
beforeEach(async () => {
  db = await newDatabase();
  clock = new TestClock();
  keys = apiKeys({ accounts: accountRecords(db), keys: apiKeyRecords(db), clock });
});
afterEach(() => db.destroy());

describe('API keys', () => {
  test('open the first account', async () => {
    const { account } = await keys.first(undefined);

    const { text, ...key } = await keys.make('my laptop');

    expect(await keys.check(text)).toEqual({ account, key });
  });

  test('are long and random', async () => {
    const [key, namesake] = [await keys.make('a'), await keys.make('a')];

    expect(key.text).toMatch(/^troupe_[0-9A-Za-z]{40}$/);
    expect(key.text).not.toBe(namesake.text);
  });

  test('are stored as hashes only', async () => {
    const { text } = await keys.make('my laptop');

    const rows = await db.selectFrom('api_keys').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(text.slice(-20));
    expect(rows[0]?.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each(['', 'troupe_', 'x', `troupe_${'a'.repeat(40)}`])('are refused: %o', async (key) => {
    await keys.first(undefined);

    expect(await keys.check(key)).toBeNull();
  });
});

describe('an API key that cannot be looked up', () => {
  test('answers records_away with a short retry', async () => {
    const records = apiKeyRecords(db);
    const cutOff = { ...records, findByHash: () => new Promise<never>(() => {}) };
    const cutOffKeys = apiKeys({ accounts: accountRecords(db), keys: cutOff, clock });

    const checked = cutOffKeys.check('a key').catch((error: unknown) => error);
    clock.advance(4_000);

    expect(await checked).toMatchObject({ fault: 'records_away', status: 503 });
    expect(clock.waiting).toBe(0);
  });
});

describe('a revoked API key', () => {
  test('is refused, and stays revoked when configured at a start', async () => {
    const { text, id, accountId } = await keys.make('my laptop');

    await apiKeyRecords(db).revoke(accountId, id, clock.now());
    await keys.first(text);

    expect(await keys.check(text)).toBeNull();
  });

  test('can only be revoked by its own account', async () => {
    const { text, id } = await keys.make('my laptop');

    const isRevoked = await apiKeyRecords(db).revoke('another-account', id, clock.now());

    expect(isRevoked).toBe(false);
    expect(await keys.check(text)).not.toBeNull();
  });
});

describe('the first account', () => {
  test('is created once by two concurrent processes', async () => {
    const records = accountRecords(db);

    const accounts = await Promise.all([records.first(1), records.first(2)]);

    expect(accounts[0].id).toBe(accounts[1].id);
    expect(await db.selectFrom('accounts').select('id').execute()).toHaveLength(1);
  });
});

describe('the first API key', () => {
  test('is created and shown at the first start only', async () => {
    const firstStart = await keys.first(undefined);
    const secondStart = await keys.first(undefined);

    expect(firstStart.newKey).toMatch(/^troupe_/);
    expect(await keys.check(firstStart.newKey ?? '')).toMatchObject({
      account: firstStart.account,
    });
    expect(secondStart).toEqual({ account: firstStart.account, newKey: null });
  });

  test('is the configured one at every start', async () => {
    const { account, newKey } = await keys.first('given-key-of-the-operator');
    await keys.first('given-key-of-the-operator');

    expect(newKey).toBeNull();
    expect(await keys.check('given-key-of-the-operator')).toMatchObject({ account });
  });

  test('stops working when another one is configured; created keys stay', async () => {
    await keys.first('given-key-of-the-operator');
    const laptopKey = await keys.make('my laptop');

    await keys.first('another-key-of-the-operator');

    expect(await keys.check('given-key-of-the-operator')).toBeNull();
    expect(await keys.check('another-key-of-the-operator')).not.toBeNull();
    expect(await keys.check(laptopKey.text)).not.toBeNull();
  });

  test('keeps its record across starts', async () => {
    await keys.first('given-key-of-the-operator');
    const configured = await keys.check('given-key-of-the-operator');
    clock.advance(1000);

    await keys.first('given-key-of-the-operator');

    expect(await keys.check('given-key-of-the-operator')).toEqual(configured);
  });

  test('may be an existing key', async () => {
    const { newKey } = await keys.first(undefined);

    await keys.first(newKey ?? '');

    expect(await keys.check(newKey ?? '')).not.toBeNull();
  });
});
