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
import { PIECE_CHARS } from '../../../src/records/knowledge/knowledge-texts.ts';
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
    const id = await newFile('short');
    const content = encryptor.encrypt(text, placeOf('knowledge_files', 'content', id));
    await db.deleteFrom('knowledge_texts').execute();
    await db.updateTable('knowledge_files').set({ content, text_id: null }).execute();

    const texts = await Promise.all([textOf(id), textOf(id)]);

    expect(texts).toEqual([text, text]);
    expect(await storedPieces()).toBe(2);
    const row = await db.selectFrom('knowledge_files').selectAll().executeTakeFirstOrThrow();
    expect(row.content).toBeNull();
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
