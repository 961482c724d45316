import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { apiKeys, type ApiKeys } from '../../src/accounts/keys.ts';
import { accountRecords } from '../../src/records/accounts.ts';
import type { Database } from '../../src/records/database.ts';
import { newDatabase } from '../support/database.ts';
import { TestClock } from '../support/test-clock.ts';

let db: Database;
let keys: ApiKeys;
beforeEach(async () => {
  db = await newDatabase();
  keys = apiKeys(accountRecords(db), new TestClock());
});
afterEach(() => db.destroy());

describe('API keys', () => {
  test('open the first account', async () => {
    const { account } = await keys.first(undefined);

    const key = await keys.make('my laptop');

    expect(await keys.check(key)).toEqual(account);
  });

  test('are long, and different each time', async () => {
    const [first, second] = [await keys.make('a'), await keys.make('a')];

    expect(first).toMatch(/^troupe_[0-9A-Za-z]{40}$/);
    expect(first).not.toBe(second);
  });

  test('are stored as hashes only', async () => {
    const key = await keys.make('my laptop');

    const rows = await db.selectFrom('api_keys').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(key.slice(-20));
    expect(rows[0]?.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each(['', 'troupe_', 'x', `troupe_${'a'.repeat(40)}`])(
    'do not open with %o',
    async (key) => {
      await keys.first(undefined);

      expect(await keys.check(key)).toBeNull();
    },
  );
});

describe('the first API key', () => {
  test('is made at the first start and never shown again', async () => {
    const first = await keys.first(undefined);
    const second = await keys.first(undefined);

    expect(first.newKey).toMatch(/^troupe_/);
    expect(await keys.check(first.newKey ?? '')).toEqual(first.account);
    expect(second).toEqual({ account: first.account, newKey: null });
  });

  test('is the one that is given, at every start', async () => {
    const { account, newKey } = await keys.first('given-key-of-the-operator');
    await keys.first('given-key-of-the-operator');

    expect(newKey).toBeNull();
    expect(await keys.check('given-key-of-the-operator')).toEqual(account);
  });

  test('stops working when another one is given; those made by hand stay', async () => {
    await keys.first('given-key-of-the-operator');
    const made = await keys.make('my laptop');

    await keys.first('another-key-of-the-operator');

    expect(await keys.check('given-key-of-the-operator')).toBeNull();
    expect(await keys.check('another-key-of-the-operator')).not.toBeNull();
    expect(await keys.check(made)).not.toBeNull();
  });

  test('may be one that was made before', async () => {
    const { newKey } = await keys.first(undefined);

    await keys.first(newKey ?? '');

    expect(await keys.check(newKey ?? '')).not.toBeNull();
  });
});
