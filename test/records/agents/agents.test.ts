import { DEFAULT_TURN_TAKING } from '#protocol/voice/turn-taking.ts';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newRecordId } from '#shared/ids.ts';
import { accountRecords } from '../../../src/records/accounts/accounts.ts';
import { DEFAULT_APPEARANCE } from '../../../src/records/agents/agent-settings.ts';
import { blobRecords } from '../../../src/records/blobs.ts';
import { agentRecords, type Agent, type AgentRecords } from '../../../src/records/agents/agents.ts';
import type { Database } from '../../../src/records/engine/database.ts';
import {
  externalApiRecords,
  type ExternalApiRecords,
} from '../../../src/records/agents/external-apis.ts';
import {
  knowledgeFileRecords,
  type KnowledgeFileRecords,
} from '../../../src/records/knowledge/knowledge-files.ts';
import { Lists } from '../../../src/records/engine/pages.ts';
import { newDatabase } from '../../support/records/database.ts';
import { testEncryptor } from '../../support/records/encryptor.ts';

let db: Database;
let agents: AgentRecords;
let files: KnowledgeFileRecords;
let apis: ExternalApiRecords;
let accountId: string;

beforeEach(async () => {
  db = await newDatabase();
  const secret = randomBytes(32);
  const lists = new Lists(secret);
  const encryptor = testEncryptor();
  agents = agentRecords(db, encryptor, lists);
  files = knowledgeFileRecords(db, encryptor, lists);
  apis = externalApiRecords(db, encryptor, lists);
  accountId = (await accountRecords(db).first(0)).id;
});
afterEach(() => db.destroy());

const NOW = Date.UTC(2026, 0, 1);

const agent = (fields: Partial<Agent> = {}): Agent => ({
  id: newRecordId(),
  accountId,
  name: 'Jarvis',
  avatarId: 'mira',
  systemPrompt: null,
  language: 'en',
  greeting: null,
  maxSessionLengthMinutes: 30,
  capabilities: [],
  llm: null,
  stt: null,
  tts: null,
  embeddings: null,
  turnTaking: DEFAULT_TURN_TAKING,
  video: null,
  voice: null,
  knowledgeFileIds: [],
  allowedOrigins: [],
  limits: null,
  appearance: DEFAULT_APPEARANCE,
  isPrivate: false,
  createdAt: NOW,
  ...fields,
});

const newFile = async () => {
  const id = newRecordId();
  const fields = { name: 'File', format: 'text', status: 'available', createdAt: NOW } as const;
  await files.insert({ id, accountId, ...fields }, 'text');
  return id;
};

const newApi = async () => {
  const id = newRecordId();
  const fields = { type: 'openai_compatible_llm', name: 'Model', url: 'https://x' } as const;
  await apis.insert({ id, accountId, ...fields, createdAt: NOW, apiKey: 'sk' });
  return id;
};

const llmAt = (apiId: string) =>
  ({ type: 'openai_compatible', apiId, model: 'm', temperature: 0.5 }) as const;

describe('agent records', () => {
  test('are read as written, with files in order', async () => {
    const knowledgeFileIds = [await newFile(), await newFile(), await newFile()].toSorted();
    knowledgeFileIds.push(knowledgeFileIds.shift()!);
    const record = agent({
      name: 'Zoë "the" \\ 😀',
      systemPrompt: 'Be kind.',
      greeting: 'Hi',
      maxSessionLengthMinutes: 0.5,
      capabilities: [{ type: 'wakeup_mode', triggers: ['hey'] }],
      llm: llmAt(await newApi()),
      knowledgeFileIds,
    });

    await agents.insert(record);

    expect(await agents.find(accountId, record.id)).toEqual(record);
    expect((await agents.page(accountId, { limit: 1 })).data).toEqual([record]);
  });

  test('have the files of their last change', async () => {
    const [firstFile, secondFile] = [await newFile(), await newFile()];
    const record = agent({ knowledgeFileIds: [firstFile] });
    await agents.insert(record);

    await agents.update(accountId, record.id, { knowledgeFileIds: [secondFile] });

    expect(await agents.find(accountId, record.id)).toEqual({
      ...record,
      knowledgeFileIds: [secondFile],
    });
  });

  test('are visible to their account only', async () => {
    const record = agent();
    await agents.insert(record);

    expect(await agents.find('another', record.id)).toBeNull();
    expect(await agents.update('another', record.id, { name: 'Mine' })).toBe(false);
    expect(await agents.delete('another', record.id)).toBe(false);
    expect((await agents.page('another', { limit: 1 })).data).toEqual([]);
    expect(await agents.find(accountId, record.id)).toEqual(record);
  });

  test('keep the parts of an appearance that a change omits', async () => {
    const logoHash = await blobRecords(db, testEncryptor()).put(Buffer.from('logo'), NOW);
    const appearance = { accentColor: '#000080', logoHash, welcomeText: 'Hello' };
    const record = agent({ appearance });
    await agents.insert(record);

    await agents.update(accountId, record.id, { appearance: { welcomeText: null } });
    await agents.update(accountId, record.id, { name: 'Zoë' });

    expect((await agents.find(accountId, record.id))?.appearance).toEqual({
      ...appearance,
      welcomeText: null,
    });
  });

  test('lose no concurrent change', async () => {
    const record = agent();
    await agents.insert(record);
    const changes = { systemPrompt: 'Be kind.', language: 'de', greeting: 'Hallo' };

    await Promise.all(
      Object.entries(changes).map(([name, value]) =>
        agents.update(accountId, record.id, { [name]: value }),
      ),
    );

    expect(await agents.find(accountId, record.id)).toEqual({ ...record, ...changes });
  });

  test('name all missing files', async () => {
    const knowledgeFileIds = [newRecordId(), await newFile(), newRecordId()];

    const inserting = agents.insert(agent({ knowledgeFileIds }));

    await expect(inserting).rejects.toMatchObject({
      fault: 'not_found',
      about: { knowledge_files: [knowledgeFileIds[0], knowledgeFileIds[2]] },
    });
    expect((await agents.page(accountId, { limit: 1 })).data).toEqual([]);
  });
});

/** Outcomes of two conflicting operations, by fault name. */
async function race(...runs: (() => Promise<unknown>)[]): Promise<unknown[]> {
  const results = await Promise.allSettled(runs.map((run) => run()));
  return results.map((result) =>
    result.status === 'fulfilled' ? 'done' : (result.reason as { fault?: string }).fault,
  );
}

describe('a reference and the deletion of its target', () => {
  test('exclude each other when concurrent: a file', async () => {
    for (let round = 0; round < 20; round += 1) {
      const id = await newFile();
      const record = agent({ knowledgeFileIds: [id] });

      const outcome = await race(
        () => agents.insert(record),
        () => files.delete(accountId, id),
      );

      const isThere = (await files.find(accountId, id)) !== null;
      expect(outcome).toEqual(isThere ? ['done', 'conflict'] : ['not_found', 'done']);
      expect((await agents.find(accountId, record.id)) !== null).toBe(isThere);
    }
  });

  test('exclude each other when concurrent: an external API', async () => {
    for (let round = 0; round < 20; round += 1) {
      const record = agent();
      await agents.insert(record);
      const id = await newApi();

      const outcome = await race(
        () => apis.delete(accountId, id),
        () => agents.update(accountId, record.id, { llm: llmAt(id) }),
      );

      const isThere = (await apis.find(accountId, id)) !== null;
      expect(outcome).toEqual(isThere ? ['conflict', 'done'] : ['done', 'not_found']);
    }
  });
});
