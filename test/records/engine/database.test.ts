import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  isBrokenReference,
  isDuplicate,
  type Database,
} from '../../../src/records/engine/database.ts';
import { newDatabase } from '../../support/records/database.ts';

let db: Database;
beforeEach(async () => {
  db = await newDatabase();
  await addAccount('account-1');
});
afterEach(() => db.destroy());

const addAccount = (id: string, name = id) =>
  db.insertInto('accounts').values({ id, name, created_at: NOW }).execute();
const NOW = Date.UTC(2026, 0, 1);
/** Largest expected time: the last microsecond of 2199. */
const LATE = Date.UTC(2200, 0) * 1000 - 1;

const addFile = (id: string, listed_at = 1) =>
  db
    .insertInto('knowledge_files')
    .values({
      id,
      account_id: 'account-1',
      name: id,
      format: 'pdf',
      status: 'to-upload',
      content: null,
      created_at: NOW,
      listed_at,
    })
    .execute();

describe('records in either database', () => {
  test('store times in microseconds exactly, as numbers', async () => {
    await addFile('late', LATE);

    const row = await db.selectFrom('knowledge_files').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ created_at: NOW, listed_at: LATE, content: null });
    expect(Number.isSafeInteger(LATE)).toBe(true);
  });

  test('return counts and sums as numbers', async () => {
    await addFile('one', LATE);
    await addFile('two', 1);

    const { count, sum, last } = await db
      .selectFrom('knowledge_files')
      .select(({ fn }) => [
        fn.countAll().as('count'),
        fn.sum('listed_at').as('sum'),
        fn.max('listed_at').as('last'),
      ])
      .executeTakeFirstOrThrow();
    expect({ count, sum, last }).toEqual({ count: 2, sum: LATE + 1, last: LATE });
  });

  test('store every byte value', async () => {
    const bytes = Buffer.concat([Buffer.from(Array.from({ length: 256 }, (_, i) => i)), noise]);
    await addFile('file');
    const chunk = { file_id: 'file', number: 0, size: bytes.length, upload_id: 'upload' };
    await db
      .insertInto('knowledge_chunks')
      .values({ ...chunk, bytes })
      .execute();

    const row = await db.selectFrom('knowledge_chunks').selectAll().executeTakeFirstOrThrow();
    expect(row.bytes).toBeInstanceOf(Uint8Array);
    expect(Buffer.from(row.bytes).equals(bytes)).toBe(true);
  });

  test.each([
    ['every script', 'Zoë, 王小明, עברית, 👩‍👩‍👧, " \' \\ %_ $1 ? :x', undefined],
    ['nothing', '', undefined],
    ['a NUL', 'be\0fore', 'be\uFFFDfore'],
    ['half a character', 'a\uD800b', 'a\uFFFDb'],
  ])('hold text with %s', async (_what, given, kept = given) => {
    await addAccount('account-2', given);

    const row = await db
      .selectFrom('accounts')
      .select('name')
      .where('id', '=', 'account-2')
      .executeTakeFirst();
    expect(row?.name).toBe(kept);
  });

  test.each(['\0', 'account-1\0', '\uD800', 'x'.repeat(100_000)])(
    'find nothing by unknown text: %j',
    async (id) => {
      const query = db.selectFrom('accounts').selectAll().where('id', '=', id);

      expect(await query.executeTakeFirst()).toBeUndefined();
    },
  );

  test('tell a duplicate row from other failures', async () => {
    await addKey('key-1', 'hash');
    await addFile('file');

    expect(isDuplicate(await failureOf(addAccount('account-1')))).toBe(true);
    expect(isDuplicate(await failureOf(addKey('key-2', 'hash')))).toBe(true);
    const noAccount = await failureOf(addKey('key-3', 'another', 'nobody'));
    expect(isDuplicate(noAccount)).toBe(false);
    expect(isBrokenReference(noAccount)).toBe(true);
    const stillUsed = await failureOf(db.deleteFrom('accounts').execute());
    expect(isBrokenReference(stillUsed)).toBe(true);
    const noName = await failureOf(addAccount('account-2', null as unknown as string));
    expect(isDuplicate(noName)).toBe(false);
    expect(isBrokenReference(noName)).toBe(false);
  });

  test('keep nothing of a failed transaction, and continue', async () => {
    const failing = db.transaction().execute(async (trx) => {
      await trx.deleteFrom('accounts').execute();
      throw new Error('changed my mind');
    });

    await expect(failing).rejects.toThrow('changed my mind');
    expect(await accounts()).toEqual(['account-1']);
  });

  test('keep nothing if the last statement of a transaction fails', async () => {
    const row = { id: 'account-1', name: 'again', created_at: NOW };
    const transaction = db.transaction().execute(async (trx) => {
      await trx
        .insertInto('accounts')
        .values({ ...row, id: 'account-2' })
        .execute();
      await trx.insertInto('accounts').values(row).execute();
    });

    expect(isDuplicate(await failureOf(transaction))).toBe(true);
    expect(await accounts()).toEqual(['account-1']);
  });
});

const noise = randomBytes(100_000);

const addKey = (id: string, hash: string, account_id = 'account-1') =>
  db.insertInto('api_keys').values({ id, account_id, name: id, hash, created_at: NOW }).execute();

const accounts = async () =>
  (await db.selectFrom('accounts').select('id').execute()).map(({ id }) => id);

const failureOf = (failing: Promise<unknown>): Promise<unknown> =>
  failing.then(
    () => {
      throw new Error('did not fail');
    },
    (error: unknown) => error,
  );
