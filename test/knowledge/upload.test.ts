import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newRecordId } from '#shared/ids.ts';
import type { StatedTotals } from '../../src/knowledge/completeness.ts';
import {
  MAX_CHUNK_BYTES,
  MAX_FILE_BYTES,
  STORED_AT_A_TIME,
  SUBMITS_PER_ACCOUNT,
  Uploads,
  type Uploader,
} from '../../src/knowledge/upload.ts';
import { accountRecords } from '../../src/records/accounts/accounts.ts';
import { NO_LIMITS } from '../../src/records/engine/account-limits.ts';
import type { Database } from '../../src/records/engine/database.ts';
import {
  knowledgeFileRecords,
  type KnowledgeFile,
  type KnowledgeFileRecords,
} from '../../src/records/knowledge/knowledge-files.ts';
import { Lists } from '../../src/records/engine/pages.ts';
import { newDatabase } from '../support/records/database.ts';
import { testEncryptor } from '../support/records/encryptor.ts';
import { wholeTexts } from '../support/records/whole-texts.ts';
import { TestClock } from '../support/test-clock.ts';

let db: Database;
let files: KnowledgeFileRecords;
let uploads: Uploads;
let file: KnowledgeFile;
/** Called while a PDF is read. */
let whileReading: () => Promise<void>;
let readings: number;

beforeEach(async () => {
  db = await newDatabase();
  files = knowledgeFileRecords(db, testEncryptor(), new Lists(randomBytes(32)));
  whileReading = async () => {};
  readings = 0;
  const pdfs = {
    async read(_accountId: string, open: () => AsyncIterable<Uint8Array>) {
      readings += 1;
      const parts: Uint8Array[] = [];
      for await (const part of open()) parts.push(part);
      await whileReading();
      return Buffer.concat(parts).toString();
    },
  };
  uploads = new Uploads({ files, pdfs, clock: new TestClock() });
  file = await newFile();
});
afterEach(() => db.destroy());

async function newFile(format: KnowledgeFile['format'] = 'pdf'): Promise<KnowledgeFile> {
  const { id: accountId } = await accountRecords(db).first(0);
  const fields = { name: 'File', format, status: 'to-upload', createdAt: 0 } as const;
  const newRecord = { id: newRecordId(), accountId, ...fields };
  await files.insert(newRecord, null);
  return newRecord;
}

const uploader = (): Uploader => ({ accountId: file.accountId, limits: NO_LIMITS });
const put = (number: number, text: string | Uint8Array) =>
  uploads.putChunk(uploader(), file.id, number, Buffer.from(text as string));
const submit = (stated?: StatedTotals) => uploads.submit(uploader(), file.id, stated);
/** The text of the submitted file. */
const submittedText = async (stated?: StatedTotals) => contentOf(await submit(stated));
const contentOf = async ({ accountId, id }: KnowledgeFile) =>
  (await wholeTexts(files).read(accountId, id))?.content;
const chunksLeft = async () => (await files.chunks(file.id)).map(({ number }) => number);

describe('an upload', () => {
  test('is joined by chunk number, in any order of arrival', async () => {
    for (const number of [3, 1, 10, 2, 9, 4, 0, 5, 8, 7, 6]) await put(number, `${number} `);

    const submitted = await submit();

    expect(submitted).toEqual({
      ...file,
      status: 'available',
      text: { id: expect.any(String), size: 23 },
    });
    expect(await contentOf(submitted)).toBe('0 1 2 3 4 5 6 7 8 9 10 ');
  });

  test.each([0, 1])('that states its chunks may count from %i', async (start) => {
    await put(start + 1, 'b');
    await put(start, 'a');

    expect(await submittedText({ chunks: 2, size: 2 })).toBe('ab');
  });

  test('keeps the last chunk of each number', async () => {
    await put(0, 'a');
    await put(1, 'b');
    await put(0, 'A');

    expect(await submittedText()).toBe('Ab');
  });

  test('leaves no chunk behind', async () => {
    await put(0, 'a');

    await submit();

    expect(await chunksLeft()).toEqual([]);
    expect(await wholeTexts(files).read(file.accountId, file.id)).toMatchObject({
      status: 'available',
      content: 'a',
    });
  });

  test('that is incomplete is refused, and its chunks stay', async () => {
    await put(1, 'b');

    await expect(submit()).rejects.toMatchObject({ status: 400 });

    expect(await chunksLeft()).toEqual([1]);
    await put(0, 'a');
    expect(await submittedText()).toBe('ab');
  });

  test('is processed once and then returned unchanged', async () => {
    await put(0, 'a');
    const submitted = await submit();

    expect(await submit()).toEqual(submitted);
    expect(readings).toBe(1);
  });

  test('is read once for concurrent submits', async () => {
    await put(0, 'a');

    const results = await Promise.all([submit(), submit(), submit()]);

    expect(await Promise.all(results.map(contentOf))).toEqual(['a', 'a', 'a']);
    expect(readings).toBe(1);
  });

  test('is read once when a concurrent submit looked it up before it was available', async () => {
    await put(0, 'a');
    const hold = Promise.withResolvers<void>();
    const find = files.find.bind(files);
    files.find = async (...args) => {
      const stored = await find(...args);
      await hold.promise;
      return stored;
    };
    const late = submit();
    files.find = find;
    await submit();
    hold.resolve();

    expect(await contentOf(await late)).toBe('a');
    expect(readings).toBe(1);
  });

  test('refuses chunks once the file is available', async () => {
    await put(0, 'a');
    await submit();

    await expect(put(1, 'b')).rejects.toMatchObject({ status: 409 });
  });

  test('is not made available if it changes while it is read', async () => {
    await put(0, 'a');
    whileReading = () => put(0, 'A');

    await expect(submit()).rejects.toMatchObject({ status: 409 });

    whileReading = async () => {};
    expect(await submittedText()).toBe('A');
  });

  test('stays deleted if it is deleted while it is read', async () => {
    await put(0, 'a');
    whileReading = async () => void (await files.delete(file.accountId, file.id));

    await expect(submit()).rejects.toMatchObject({ status: 409 });
    await expect(submit()).rejects.toMatchObject({ status: 404 });
  });

  test('holds few chunks in memory, however many files are submitted', async () => {
    const uploaded = await Promise.all(Array.from({ length: 12 }, () => newFile('text')));
    for (const { id } of uploaded) await uploads.putChunk(uploader(), id, 0, Buffer.from('text'));
    const [readChunk, finish] = [files.readChunk.bind(files), files.finish.bind(files)];
    let [chunks, mostChunks] = [0, 0];
    files.readChunk = (...chunk) => {
      chunks += 1;
      mostChunks = Math.max(mostChunks, chunks);
      return readChunk(...chunk);
    };
    files.finish = async (...text) => {
      const isFinished = await finish(...text);
      chunks -= 1;
      return isFinished;
    };

    await Promise.all(uploaded.map(({ id }) => uploads.submit(uploader(), id)));

    expect(mostChunks).toBe(STORED_AT_A_TIME);
  });

  test('waits with few others of its account', async () => {
    const uploaded = await Promise.all(
      Array.from({ length: SUBMITS_PER_ACCOUNT + 1 }, () => newFile('text')),
    );
    for (const { id } of uploaded) await uploads.putChunk(uploader(), id, 0, Buffer.from('text'));

    const results = await Promise.allSettled(
      uploaded.map(({ id }) => uploads.submit(uploader(), id)),
    );

    const refusals = results.filter(({ status }) => status === 'rejected');
    expect(refusals).toEqual([
      expect.objectContaining({ reason: expect.objectContaining({ fault: 'rate_limit' }) }),
    ]);
  });

  test('belongs to its account only', async () => {
    const stranger = { ...uploader(), accountId: 'another' };
    const put = uploads.putChunk(stranger, file.id, 0, Buffer.from('a'));

    await expect(put).rejects.toMatchObject({ status: 404 });
    await expect(uploads.submit(stranger, file.id)).rejects.toMatchObject({ status: 404 });
  });

  test('limits the total size and names the limit', async () => {
    const large = new Uint8Array(MAX_CHUNK_BYTES);
    for (let number = 1; number <= MAX_FILE_BYTES / MAX_CHUNK_BYTES; number += 1) {
      await put(number, large);
    }

    await expect(put(9, 'x')).rejects.toMatchObject({
      status: 413,
      message: expect.stringContaining('64 MiB'),
    });
    await expect(put(8, large)).resolves.toBeUndefined();
  });
});
