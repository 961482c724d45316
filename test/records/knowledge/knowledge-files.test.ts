import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newRecordId } from '#shared/ids.ts';
import { accountRecords } from '../../../src/records/accounts/accounts.ts';
import { NO_LIMITS } from '../../../src/records/engine/account-limits.ts';
import type { Database } from '../../../src/records/engine/database.ts';
import {
  knowledgeFileRecords,
  type Chunk,
  type KnowledgeFile,
  type KnowledgeFileRecords,
} from '../../../src/records/knowledge/knowledge-files.ts';
import { Lists } from '../../../src/records/engine/pages.ts';
import { newDatabase } from '../../support/records/database.ts';
import { testEncryptor } from '../../support/records/encryptor.ts';

let db: Database;
let files: KnowledgeFileRecords;
let file: KnowledgeFile;

beforeEach(async () => {
  db = await newDatabase();
  files = knowledgeFileRecords(db, testEncryptor(), new Lists(randomBytes(32)));
  const { id: accountId } = await accountRecords(db).first(0);
  const fields = { name: 'File', format: 'text', status: 'to-upload', createdAt: 0 } as const;
  file = { id: newRecordId(), accountId, ...fields };
  await files.insert(file, null);
});
afterEach(() => db.destroy());

const MOST = 10;
const put = (number: number, bytes: Uint8Array, account = NO_LIMITS, to = file) => {
  const chunk = { number, uploadId: newRecordId(), bytes, at: 7 };
  return files.putChunk(to.accountId, to.id, chunk, { fileBytes: MOST, account });
};
const finish = async (chunks: Chunk[], content: string, limits = NO_LIMITS) => {
  const text = await files.stage(file.id, [content], content.length);
  return files.finish(file.accountId, file.id, chunks, text, limits);
};

describe('knowledge file records', () => {
  test('store every byte of a chunk', async () => {
    const bytes = Uint8Array.from([0, 255, 128, 10, 0]);
    await put(1, bytes);

    const [chunk] = await files.chunks(file.id);

    expect(chunk).toEqual({ number: 1, uploadId: expect.any(String), size: 5 });
    const storedBytes = await files.readChunk(file.id, chunk!.uploadId);
    expect([...storedBytes!]).toEqual([...bytes]);
  });

  test('keep concurrent chunks within the total limit', async () => {
    const numbers = [1, 2, 3, 4, 5, 6];

    const results = await Promise.allSettled(numbers.map((n) => put(n, new Uint8Array(4))));

    const storedChunks = await files.chunks(file.id);
    expect(storedChunks).toHaveLength(2);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });

  test('detect a replaced chunk', async () => {
    await put(1, new Uint8Array(4));
    const [firstChunk] = await files.chunks(file.id);
    await put(1, new Uint8Array(4));

    expect(await files.readChunk(file.id, firstChunk!.uploadId)).toBeNull();
    expect(await finish([firstChunk!], 'text')).toBe(false);
    expect(await finish(await files.chunks(file.id), 'text')).toBe(true);
  });

  test('finish a file once', async () => {
    await put(1, new Uint8Array(4));
    const chunks = await files.chunks(file.id);

    const finishes = [finish(chunks, 'first'), finish(chunks, 'second')];

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
    expect(await files.textOf('another', file.id)).toBeNull();
    expect(await files.delete('another', file.id)).toBe(false);
    expect((await files.page('another', { limit: 1 })).data).toEqual([]);
  });
});

const bytes = (most: number) => ({ ...NO_LIMITS, bytes: most });
const newFile = async (content: string | null = null, limits = NO_LIMITS) => {
  const record: KnowledgeFile = { ...file, id: newRecordId() };
  await files.insert(record, content, limits);
  return record;
};
const sizes = async () => {
  const rows = await db.selectFrom('knowledge_files').select(['id', 'size']).execute();
  return Object.fromEntries(rows.map(({ id, size }) => [id, size]));
};

describe('the limits of an account', () => {
  const beyond = { status: 409, message: expect.stringMatching(/^Your plan includes .* Delete/) };

  test('count the bytes of all files, of their chunks or of their texts', async () => {
    const text = await newFile('12345é');
    await put(0, new Uint8Array(4));
    await put(1, new Uint8Array(3));
    await put(0, new Uint8Array(2));

    expect(await sizes()).toEqual({ [file.id]: 5, [text.id]: 7 });
    await expect(put(2, new Uint8Array(4), bytes(15))).rejects.toMatchObject(beyond);
    await expect(put(0, new Uint8Array(6), bytes(15))).rejects.toMatchObject(beyond);
    await put(2, new Uint8Array(3), bytes(15));
    expect(await sizes()).toEqual({ [file.id]: 8, [text.id]: 7 });
  });

  test('hold for concurrent chunks of several files', async () => {
    const targets = [file, await newFile(), await newFile(), await newFile()];

    const results = await Promise.allSettled(
      targets.map((to) => put(0, new Uint8Array(4), bytes(9), to)),
    );

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });

  test('hold for the text of a file and leave its chunks', async () => {
    await put(0, new Uint8Array(4));
    const chunks = await files.chunks(file.id);

    await expect(finish(chunks, 'x'.repeat(9), bytes(8))).rejects.toMatchObject(beyond);
    expect(await files.chunks(file.id)).toEqual(chunks);

    expect(await finish(chunks, 'x'.repeat(8), bytes(8))).toBe(true);
    expect(await sizes()).toEqual({ [file.id]: 8 });
  });

  test('hold for texts given at once', async () => {
    await newFile('12345', bytes(8));

    await expect(newFile('1234', bytes(8))).rejects.toMatchObject(beyond);
    await newFile('123', bytes(8));
  });

  test('hold for concurrent new files', async () => {
    const limits = { ...NO_LIMITS, knowledgeFiles: 3 };
    const insert = () => files.insert({ ...file, id: newRecordId() }, null, limits);

    const results = await Promise.allSettled([insert(), insert(), insert(), insert()]);

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await expect(insert()).rejects.toMatchObject({
      message: 'Your plan includes 3 knowledge files. Delete one or upgrade your plan.',
    });
  });

  test('count nothing of a deleted file', async () => {
    await put(0, new Uint8Array(8));
    await files.delete(file.accountId, file.id);

    const nextFile = await newFile();

    await expect(put(0, new Uint8Array(8), bytes(8), nextFile)).resolves.toBeUndefined();
  });
});
