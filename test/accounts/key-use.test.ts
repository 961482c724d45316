import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { KeyUse } from '../../src/accounts/key-use.ts';
import { apiKeys, type MadeKey } from '../../src/accounts/keys.ts';
import { accountRecords } from '../../src/records/accounts/accounts.ts';
import { apiKeyRecords, type ApiKeyRecords } from '../../src/records/accounts/api-keys.ts';
import type { Database } from '../../src/records/engine/database.ts';
import { newDatabase } from '../support/records/database.ts';
import { TestClock } from '../support/test-clock.ts';

let db: Database;
let clock: TestClock;
let keys: ApiKeyRecords;
let key: MadeKey;
let problems: unknown[];

beforeEach(async () => {
  db = await newDatabase();
  clock = new TestClock();
  keys = apiKeyRecords(db);
  key = await apiKeys({ accounts: accountRecords(db), keys, clock }).make('my laptop');
  problems = [];
});
afterEach(() => db.destroy());

const ADDRESS = '203.0.113.7';
const log = { error: (problem: unknown) => problems.push(problem) };
const openUse = (records: Pick<ApiKeyRecords, 'used'> = keys) =>
  new KeyUse({ keys: records, clock, log: log as never });

const lastUsedAt = async () =>
  (await db.selectFrom('api_keys').select('last_used_at').executeTakeFirstOrThrow()).last_used_at;

describe('API key use', () => {
  test('is recorded', async () => {
    const use = openUse();

    use.record(key, ADDRESS);
    await use.close();

    expect(await lastUsedAt()).toBe(clock.now());
  });

  test('is recorded once a minute', async () => {
    const written: number[] = [];
    const use = openUse({ used: async (_id, { now }) => void written.push(now) });
    const start = clock.now();

    for (let second = 0; second < 150; second += 1) {
      use.record({ id: key.id, lastUsedAt: written.at(-1) ?? null }, ADDRESS);
      await use.close();
      clock.advance(1000);
    }

    expect(written).toEqual([start, start + 60_000, start + 120_000]);
  });

  test('is recorded once a minute with an outdated copy of the key', async () => {
    const written: number[] = [];
    const use = openUse({ used: async (_id, { now }) => void written.push(now) });

    for (let second = 0; second < 2; second += 1) {
      use.record({ id: key.id, lastUsedAt: null }, ADDRESS);
      await use.close();
      clock.advance(1000);
    }

    expect(written).toHaveLength(1);
  });

  test('is recorded once by concurrent requests', async () => {
    let written = 0;
    const use = openUse({ used: async () => void (written += 1) });

    for (let request = 0; request < 100; request += 1) use.record(key, ADDRESS);
    await use.close();

    expect(written).toBe(1);
  });

  test('is never moved back by a late write', async () => {
    await keys.used(key.id, { now: 120_000, unlessSince: 60_000, address: ADDRESS });

    await keys.used(key.id, { now: 100_000, unlessSince: 40_000, address: ADDRESS });

    expect(await lastUsedAt()).toBe(120_000);
  });

  test('fails no request when it cannot be recorded', async () => {
    const use = openUse({ used: () => Promise.reject(new Error('away')) });

    use.record(key, ADDRESS);
    await use.close();

    expect(problems).toHaveLength(1);
  });
});
