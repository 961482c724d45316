import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newRecordId } from '#shared/ids.ts';
import { accountRecords } from '../../../src/records/accounts/accounts.ts';
import type { Database } from '../../../src/records/engine/database.ts';
import { Lists } from '../../../src/records/engine/pages.ts';
import { placeOf } from '../../../src/records/keys/encrypted-columns.ts';
import {
  knowledgeFileRecords,
  type KnowledgeFileRecords,
} from '../../../src/records/knowledge/knowledge-files.ts';
import { PIECE_CHARS, WHOLE_BYTES } from '../../../src/records/knowledge/knowledge-texts.ts';
import { newDatabase } from '../../support/records/database.ts';
import { testEncryptor } from '../../support/records/encryptor.ts';
import { wholeTexts } from '../../support/records/whole-texts.ts';

const encryptor = testEncryptor();
let db: Database;
let files: KnowledgeFileRecords;
let accountId: string;
beforeEach(async () => {
  db = await newDatabase();
  files = knowledgeFileRecords(db, encryptor, new Lists(randomBytes(32)));
  accountId = (await accountRecords(db).first(0)).id;
});
afterEach(() => db.destroy());

async function newFile(content: string | null): Promise<string> {
  const id = newRecordId();
  const status = content === null ? 'to-upload' : 'available';
  await files.insert(
    { id, accountId, name: 'File', format: 'text', status, createdAt: 0 },
    content,
  );
  return id;
}
const textOf = async (id: string) => (await wholeTexts(files).read(accountId, id))?.content;

/** As a version before migration 0032 writes it. */
async function fileOfEarlierVersion(text: string): Promise<string> {
  const id = await newFile('short');
  const content = encryptor.encrypt(text, contentAt(id));
  await db.deleteFrom('knowledge_texts').execute();
  await db.updateTable('knowledge_files').set({ content, text_id: null }).execute();
  return id;
}

/** As a version before migration 0032 reads it. */
async function textForEarlierVersion(id: string): Promise<string | null> {
  const { content } = await db
    .selectFrom('knowledge_files')
    .select('content')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return content === null ? null : encryptor.readText(content, contentAt(id));
}

const contentAt = (id: string) => placeOf('knowledge_files', 'content', id);
const storedPieces = async () =>
  (await db.selectFrom('knowledge_texts').select(['text_id', 'number']).execute()).length;

async function* broken(): AsyncGenerator<string> {
  yield 'x'.repeat(PIECE_CHARS);
  throw new Error('not text');
}

describe('texts of knowledge files', () => {
  test('are kept in pieces that end between characters', async () => {
    const text = `${'x'.repeat(PIECE_CHARS - 1)}\u{1f600}${'é'.repeat(PIECE_CHARS)}end`;
    const id = await newFile(null);

    const staged = await files.stage(id, [text.slice(0, 70_000), text.slice(70_000)], 1);
    await files.finish(accountId, id, [], staged);

    expect(staged.size).toBe(Buffer.byteLength(text));
    expect(await storedPieces()).toBe(3);
    expect(await textOf(id)).toBe(text);
  });

  test('of an earlier version are split when they are first read', async () => {
    const text = 'long '.repeat(PIECE_CHARS / 4);
    const id = await fileOfEarlierVersion(text);

    const texts = await Promise.all([textOf(id), textOf(id)]);

    expect(texts).toEqual([text, text]);
    expect(await storedPieces()).toBe(2);
  });

  test('leave nothing behind when they break off, or their file is deleted', async () => {
    const id = await newFile(null);
    await expect(files.stage(id, broken(), 1)).rejects.toThrow('not text');
    expect(await storedPieces()).toBe(0);

    await files.stage(id, ['text'], 1);
    await files.delete(accountId, id);
    expect(await storedPieces()).toBe(0);
    await expect(files.stage(id, ['text'], 1)).rejects.toMatchObject({ fault: 'conflict' });
  });

  test('of an abandoned submit go with the one that finishes', async () => {
    const id = await newFile(null);
    await files.stage(id, ['abandoned'], 1);

    await files.finish(accountId, id, [], await files.stage(id, ['text'], 1));

    expect(await storedPieces()).toBe(1);
    expect(await textOf(id)).toBe('text');
  });
});

describe('the version before, which may run beside this one or return', () => {
  test('reads the text of a new file', async () => {
    const id = await newFile('created with its text');

    expect(await textForEarlierVersion(id)).toBe('created with its text');
  });

  test('reads the text of an upload', async () => {
    const id = await newFile(null);

    await files.finish(accountId, id, [], await files.stage(id, ['in ', 'chunks'], 1));

    expect(await textForEarlierVersion(id)).toBe('in chunks');
  });

  test('still reads its own files after this version has read them', async () => {
    const id = await fileOfEarlierVersion('text');

    expect(await textOf(id)).toBe('text');
    expect(await textForEarlierVersion(id)).toBe('text');
  });

  test('does not see texts that are too long to be encrypted at once', async () => {
    const id = await newFile(null);
    const mib = 'x'.repeat(1024 ** 2);
    const parts = Array.from({ length: WHOLE_BYTES / mib.length }, () => mib);

    const staged = await files.stage(id, [...parts, '.'], 1);
    await files.finish(accountId, id, [], staged);

    expect(staged.whole).toBeNull();
    expect(await textForEarlierVersion(id)).toBeNull();
    expect(await files.textOf(accountId, id)).toMatchObject({ size: WHOLE_BYTES + 1 });
  });

  test('and this one submit the same file: one of them does', async () => {
    const id = await newFile(null);
    const staged = await files.stage(id, ['of this version'], 1);
    const content = encryptor.encrypt('of the version before', contentAt(id));
    await db.updateTable('knowledge_files').set({ status: 'available', content }).execute();

    expect(await files.finish(accountId, id, [], staged)).toBe(false);
    await files.dropText(staged.id);

    expect(await textOf(id)).toBe('of the version before');
    expect(await textForEarlierVersion(id)).toBe('of the version before');
  });
});
