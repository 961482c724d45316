import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newRecordId } from '#shared/ids.ts';
import { accountRecords } from '../../../src/records/accounts/accounts.ts';
import { NO_LIMITS } from '../../../src/records/engine/account-limits.ts';
import type { Database } from '../../../src/records/engine/database.ts';
import { Lists } from '../../../src/records/engine/pages.ts';
import {
  knowledgeFileRecords,
  type KnowledgeFileRecords,
} from '../../../src/records/knowledge/knowledge-files.ts';
import { staleUploadRecords } from '../../../src/records/knowledge/stale-uploads.ts';
import { newDatabase } from '../../support/records/database.ts';
import { testEncryptor } from '../../support/records/encryptor.ts';

let db: Database;
let files: KnowledgeFileRecords;
let accountId: string;
beforeEach(async () => {
  db = await newDatabase();
  files = knowledgeFileRecords(db, testEncryptor(), new Lists(randomBytes(32)));
  accountId = (await accountRecords(db).first(0)).id;
});
afterEach(() => db.destroy());

const newFile = async (createdAt: number, content: string | null = null): Promise<string> => {
  const id = newRecordId();
  const status = content === null ? 'to-upload' : 'available';
  await files.insert({ id, accountId, name: 'File', format: 'text', status, createdAt }, content);
  return id;
};
const put = (id: string, at: number) => {
  const chunk = { number: 0, uploadId: newRecordId(), bytes: new Uint8Array(3), at };
  return files.putChunk(accountId, id, chunk, { fileBytes: 10, account: NO_LIMITS });
};
const remainingIds = async () =>
  (await files.page(accountId, { limit: 50 })).data.map(({ id }) => id);

describe('a sweep of stale uploads', () => {
  test('deletes what got no chunk since then, with its chunks', async () => {
    const abandoned = await newFile(0);
    await put(abandoned, 9);
    await newFile(9);

    expect(await staleUploadRecords(db).sweep(10)).toBe(2);

    expect(await remainingIds()).toEqual([]);
    expect(await db.selectFrom('knowledge_chunks').selectAll().execute()).toEqual([]);
  });

  test('leaves new uploads, those in progress and available files', async () => {
    const available = await newFile(0, 'text');
    const inProgress = await newFile(1);
    await put(inProgress, 2);
    await put(inProgress, 10);
    const created = await newFile(10);

    expect(await staleUploadRecords(db).sweep(10)).toBe(0);

    expect(await remainingIds()).toEqual([created, inProgress, available]);
  });

  test('leaves a file that an agent refers to', async () => {
    const id = await newFile(0);
    const agent = {
      id: 'agent-1',
      account_id: accountId,
      name: 'Jarvis',
      avatar_id: 'mira',
      settings: '{}',
      created_at: 0,
      listed_at: 0,
    };
    await db.insertInto('agents').values(agent).execute();
    await db
      .insertInto('agent_knowledge_files')
      .values({ agent_id: agent.id, file_id: id, position: 0 })
      .execute();

    expect(await staleUploadRecords(db).sweep(10)).toBe(0);

    expect(await remainingIds()).toEqual([id]);
  });

  test('ends early when told', async () => {
    for (let count = 0; count < 3; count += 1) await newFile(0);
    let checks = 0;

    expect(await staleUploadRecords(db).sweep(10, () => (checks += 1) > 1)).toBe(1);

    expect(await remainingIds()).toHaveLength(2);
  });
});
