import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newRecordId } from '#shared/ids.ts';
import { accountRecords } from '../../src/records/accounts.ts';
import type { Database } from '../../src/records/engine/database.ts';
import {
  knowledgeFileRecords,
  type KnowledgeFile,
  type KnowledgeFileRecords,
} from '../../src/records/knowledge-files.ts';
import { Lists } from '../../src/records/engine/pages.ts';
import { newDatabase } from '../support/records/database.ts';

let db: Database;
let files: KnowledgeFileRecords;
let file: KnowledgeFile;

beforeEach(async () => {
  db = await newDatabase();
  files = knowledgeFileRecords(db, new Lists(randomBytes(32)));
  const { id: accountId } = await accountRecords(db).first(0);
  const fields = { name: 'File', format: 'text', status: 'to-upload', createdAt: 0 } as const;
  file = { id: newRecordId(), accountId, ...fields };
  await files.insert(file, null);
});
afterEach(() => db.destroy());

const MOST = 10;
const put = (number: number, bytes: Uint8Array) =>
  files.putChunk(file.accountId, file.id, { number, uploadId: newRecordId(), bytes }, MOST);

describe('knowledge file records', () => {
  test('store every byte of a chunk', async () => {
    const bytes = Uint8Array.from([0, 255, 128, 10, 0]);
    await put(1, bytes);

    const [chunk] = await files.chunks(file.id);

    expect(chunk).toEqual({ number: 1, uploadId: expect.any(String), size: 5 });
    const kept = await files.readChunk(file.id, chunk!.uploadId);
    expect([...kept!]).toEqual([...bytes]);
  });

  test('keep concurrent chunks within the total limit', async () => {
    const numbers = [1, 2, 3, 4, 5, 6];

    const results = await Promise.allSettled(numbers.map((n) => put(n, new Uint8Array(4))));

    const kept = await files.chunks(file.id);
    expect(kept).toHaveLength(2);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });

  test('detect a replaced chunk', async () => {
    await put(1, new Uint8Array(4));
    const [first] = await files.chunks(file.id);
    await put(1, new Uint8Array(4));

    expect(await files.readChunk(file.id, first!.uploadId)).toBeNull();
    expect(await files.finish(file.id, [first!], 'text')).toBe(false);
    expect(await files.finish(file.id, await files.chunks(file.id), 'text')).toBe(true);
  });

  test('finish a file once', async () => {
    await put(1, new Uint8Array(4));
    const chunks = await files.chunks(file.id);

    const finishes = [
      files.finish(file.id, chunks, 'first'),
      files.finish(file.id, chunks, 'second'),
    ];

    expect((await Promise.all(finishes)).filter(Boolean)).toHaveLength(1);
    expect(await files.chunks(file.id)).toEqual([]);
  });

  test('delete chunks with their file', async () => {
    await put(1, new Uint8Array(4));

    expect(await files.delete(file.accountId, file.id)).toBe(true);

    expect(await files.chunks(file.id)).toEqual([]);
    expect(await files.delete(file.accountId, file.id)).toBe(false);
  });

  test('are visible to their account only', async () => {
    expect(await files.find('another', file.id)).toBeNull();
    expect(await files.read('another', file.id)).toBeNull();
    expect(await files.delete('another', file.id)).toBe(false);
    expect((await files.page('another', { limit: 1 })).data).toEqual([]);
  });
});
