import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newRecordId } from '#shared/ids.ts';
import { accountRecords } from '../../../src/records/accounts/accounts.ts';
import type { Database } from '../../../src/records/engine/database.ts';
import { knowledgeFileRecords } from '../../../src/records/knowledge/knowledge-files.ts';
import { Lists } from '../../../src/records/engine/pages.ts';
import {
  passageVectorRecords,
  type PassageVectorRecords,
} from '../../../src/records/knowledge/passage-vectors.ts';
import { newDatabase } from '../../support/records/database.ts';
import { testEncryptor } from '../../support/records/encryptor.ts';

let db: Database;
let vectors: PassageVectorRecords;
let accountId: string;
let fileId: string;

beforeEach(async () => {
  db = await newDatabase();
  vectors = passageVectorRecords(db, testEncryptor());
  accountId = (await accountRecords(db).first(0)).id;
  fileId = await newFile();
});
afterEach(() => db.destroy());

const files = () => knowledgeFileRecords(db, testEncryptor(), new Lists(randomBytes(32)));
async function newFile(): Promise<string> {
  const id = newRecordId();
  const fields = { name: 'File', format: 'text', status: 'available', createdAt: 0 } as const;
  await files().insert({ id, accountId, ...fields }, 'text');
  return id;
}

const ALL = { from: 0, limit: 100 };

const run = (number: number, ...codes: number[]) => ({
  number,
  dimensions: 2,
  codes: Uint8Array.from(codes),
});
const numbers = async (id: string, space: string) =>
  (await vectors.list(id, space, ALL)).map(({ number }) => number);

describe('passage vectors', () => {
  test('are read as written, in order, by file and space', async () => {
    await vectors.keep(fileId, 'one', run(1, 0, 255), 0);
    await vectors.keep(fileId, 'one', run(0, 128, 10, 13, 26), 0);
    await vectors.keep(fileId, 'other', run(0, 1, 1), 0);

    const storedRuns = await vectors.list(fileId, 'one', ALL);

    expect(
      storedRuns.map(({ number, dimensions, codes }) => [number, dimensions, ...codes]),
    ).toEqual([
      [0, 2, 128, 10, 13, 26],
      [1, 2, 0, 255],
    ]);
    expect(await numbers(await newFile(), 'one')).toEqual([]);
  });

  test('of one number are stored once, also when written concurrently', async () => {
    await Promise.all([
      vectors.keep(fileId, 'one', run(0, 1, 1), 0),
      vectors.keep(fileId, 'one', run(0, 2, 2), 0),
    ]);

    expect(await numbers(fileId, 'one')).toEqual([0]);
  });

  test('are deleted with their file and not added again', async () => {
    await vectors.keep(fileId, 'one', run(0, 1, 1), 0);

    expect(await files().delete(accountId, fileId)).toBe(true);
    await vectors.keep(fileId, 'one', run(1, 1, 1), 0);

    expect(await numbers(fileId, 'one')).toEqual([]);
  });

  test('are kept for the two newest spaces of a file', async () => {
    const otherFileId = await newFile();
    for (const [at, space] of ['one', 'two', 'three'].entries())
      for (const id of [fileId, otherFileId].slice(0, at + 1))
        await vectors.keep(id, space, run(0, 1, 1), at);

    const remainingNumbers = await Promise.all(
      ['one', 'two', 'three'].map((space) => numbers(fileId, space)),
    );

    expect(remainingNumbers).toEqual([[], [0], [0]]);
    expect(await numbers(otherFileId, 'two')).toEqual([0]);
  });

  test('are deleted by files and space', async () => {
    const otherFileId = await newFile();
    await vectors.keep(fileId, 'one', run(0, 1, 1), 0);
    await vectors.keep(otherFileId, 'one', run(0, 1, 1), 0);
    await vectors.keep(fileId, 'two', run(0, 1, 1), 0);

    await vectors.forget([fileId], 'one');

    expect(await numbers(fileId, 'one')).toEqual([]);
    expect(await numbers(fileId, 'two')).toEqual([0]);
    expect(await numbers(otherFileId, 'one')).toEqual([0]);
  });
});
