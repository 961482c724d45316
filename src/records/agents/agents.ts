import type { Selectable } from 'kysely';
import { Fault, problem } from '../../errors.ts';
import { checkCountInTurn, NO_LIMITS, type StorageLimits } from '../engine/account-limits.ts';
import type { Database, Transaction } from '../engine/database.ts';
import type { ExternalApiType } from '../engine/tables/external-api-columns.ts';
import type { AgentsTable } from '../engine/tables/tables.ts';
import { isAfter, newestFirst, type Lists, type Page, type PageRequest } from '../engine/pages.ts';
import { transactReferences } from '../engine/references.ts';
import { DEFAULT_TURN_TAKING } from '#protocol/voice/turn-taking.ts';
import type { Encryptor } from '../engine/encryption/encryptor.ts';
import {
  DEFAULT_APPEARANCE,
  type AgentSettings,
  type AgentSettingsChange,
  type Appearance,
} from './agent-settings.ts';
import { placeOf } from '../keys/encrypted-columns.ts';

export type Agent = AgentSettings & {
  id: string;
  accountId: string;
  /** Whether its room page needs a link token. False for a new agent. */
  isPrivate: boolean;
  createdAt: number;
};

export function settingsOf({
  id: _id,
  accountId: _owner,
  isPrivate: _isPrivate,
  createdAt: _at,
  ...settings
}: Agent): AgentSettings {
  return settings;
}

/** References must belong to the account; a `not_found` fault names those that do not. */
export interface AgentRecords {
  /** Throws `conflict` beyond the limits of the account. */
  insert(agent: Agent, limits?: StorageLimits): Promise<void>;
  find(accountId: string, id: string): Promise<Agent | null>;
  /** Ignores the owner. */
  get(id: string): Promise<Agent | null>;
  /** Most recent first. */
  page(accountId: string, request: PageRequest): Promise<Page<Agent>>;
  /** Absent fields keep their values. False if there is no such agent. */
  update(accountId: string, id: string, change: AgentSettingsChange): Promise<boolean>;
  /** False if there is no such agent. */
  delete(accountId: string, id: string): Promise<boolean>;
}

export function agentRecords(db: Database, encryptor: Encryptor, lists: Lists): AgentRecords {
  const read = (row: Selectable<AgentsTable>, files: Files) => toRecord(row, files, encryptor);
  const ofAccount = (accountId: string) =>
    db.selectFrom('agents').selectAll().where('account_id', '=', accountId);
  const withFiles = async (row: Selectable<AgentsTable> | undefined) =>
    row ? read(row, await filesOf(db, [row.id])) : null;

  return {
    async insert(agent, { agents: most } = NO_LIMITS) {
      await transactReferences(db, async (trx) => {
        await checkCountInTurn(trx, 'agents', agent.accountId, most, 'agent');
        await checkReferences(trx, agent.accountId, agent);
        await trx
          .insertInto('agents')
          .values({
            id: agent.id,
            account_id: agent.accountId,
            ...toColumns(agent.id, agent, encryptor),
            created_at: agent.createdAt,
            listed_at: lists.next(agent.createdAt),
          })
          .execute();
        await addFiles(trx, agent.id, agent.knowledgeFileIds);
      });
    },

    async find(accountId, id) {
      return withFiles(await ofAccount(accountId).where('id', '=', id).executeTakeFirst());
    },

    async get(id) {
      const row = db.selectFrom('agents').selectAll().where('id', '=', id);
      return withFiles(await row.executeTakeFirst());
    },

    async page(accountId, request) {
      const { data, nextCursor } = await lists.page(
        `agents/${accountId}`,
        request,
        (position, count) =>
          ofAccount(accountId).where(isAfter(position)).orderBy(newestFirst).limit(count).execute(),
      );
      const files = await filesOf(
        db,
        data.map(({ id }) => id),
      );
      return { data: data.map((row) => read(row, files)), nextCursor };
    },

    async update(accountId, id, change) {
      return transactReferences(db, async (trx) => {
        const row = await lock(trx, accountId, id);
        if (!row) return false;
        await checkReferences(trx, accountId, change);
        const former = read(row, await filesOf(trx, [id]));
        const appearance = { ...former.appearance, ...change.appearance };
        const agent = { ...former, ...change, appearance };
        const columns = toColumns(id, agent, encryptor);
        await trx.updateTable('agents').set(columns).where('id', '=', id).execute();
        if (change.knowledgeFileIds) {
          await trx.deleteFrom('agent_knowledge_files').where('agent_id', '=', id).execute();
          await addFiles(trx, id, change.knowledgeFileIds);
        }
        return true;
      });
    },

    async delete(accountId, id) {
      const { numDeletedRows } = await db
        .deleteFrom('agents')
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },
  };
}

/** Serializes changes of one agent, so that none overwrites another. */
const lock = (trx: Transaction, accountId: string, id: string) =>
  trx
    .updateTable('agents')
    .set({ account_id: accountId })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();

async function checkReferences(
  trx: Transaction,
  accountId: string,
  {
    knowledgeFileIds = [],
    llm = null,
    stt = null,
    tts = null,
    embeddings = null,
  }: AgentSettingsChange,
): Promise<void> {
  for (const [field, type] of API_FIELDS) {
    const model = { llm, stt, tts, embeddings }[field];
    if (model?.type === 'openai_compatible') {
      await checkApi(trx, accountId, model.apiId, field, type);
    }
  }
  if (knowledgeFileIds.length === 0) return;
  const files = await trx
    .selectFrom('knowledge_files')
    .select(['id', 'status'])
    .where('account_id', '=', accountId)
    .where('id', 'in', knowledgeFileIds)
    .execute();
  const knownIds = new Set(files.map(({ id }) => id));
  const missing = knowledgeFileIds.filter((id) => !knownIds.has(id));
  if (missing.length > 0) throw new Fault('not_found', { about: { knowledge_files: missing } });
  const waiting = files.filter(({ status }) => status !== 'available').map(({ id }) => id);
  if (waiting.length === 0) return;
  const detail = 'A knowledge file is not submitted yet. Submit it before an agent uses it.';
  throw new Fault('conflict', { detail, about: { knowledge_files: waiting } });
}

/** The fields that refer to an external API, and the type that each requires. */
const API_FIELDS = [
  ['llm', 'openai_compatible_llm'],
  ['stt', 'openai_compatible_stt'],
  ['tts', 'openai_compatible_tts'],
  ['embeddings', 'openai_compatible_embeddings'],
] as const;

async function checkApi(
  trx: Transaction,
  accountId: string,
  id: string,
  field: string,
  type: ExternalApiType,
): Promise<void> {
  const api = await trx
    .selectFrom('external_apis')
    .select('type')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!api) throw new Fault('not_found', { about: { api_id: id } });
  if (api.type === type) return;
  const loc = ['body', field, 'api_id'];
  throw problem(
    'external_api_type',
    loc,
    `Input should be an external API of the type ${type}`,
    id,
  );
}

async function addFiles(trx: Transaction, agentId: string, fileIds: string[]): Promise<void> {
  if (fileIds.length === 0) return;
  const rows = fileIds.map((fileId, position) => ({
    agent_id: agentId,
    file_id: fileId,
    position,
  }));
  await trx.insertInto('agent_knowledge_files').values(rows).execute();
}

type Files = Map<string, string[]>;

async function filesOf(db: Database | Transaction, agentIds: string[]): Promise<Files> {
  if (agentIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('agent_knowledge_files')
    .select(['agent_id', 'file_id'])
    .where('agent_id', 'in', agentIds)
    .orderBy('position')
    .execute();
  const byAgent = Map.groupBy(rows, (row) => row.agent_id);
  return new Map([...byAgent].map(([id, files]) => [id, files.map((row) => row.file_id)]));
}

/**
 * `settings` holds the models, encrypted because it holds the prompt too; the id columns repeat
 * their APIs as foreign keys.
 */
function toColumns(id: string, agent: AgentSettings, encryptor: Encryptor) {
  const { systemPrompt, language, greeting, maxSessionLengthMinutes, capabilities } = agent;
  const { llm, stt, tts, embeddings, voice, turnTaking, video, allowedOrigins, limits } = agent;
  const { logoHash, ...appearance } = agent.appearance;
  const texts = { systemPrompt, language, greeting, maxSessionLengthMinutes, capabilities };
  return {
    name: agent.name,
    avatar_id: agent.avatarId,
    settings: encryptor.encrypt(
      JSON.stringify({
        ...texts,
        llm,
        stt,
        tts,
        embeddings,
        voice,
        turnTaking,
        video,
        allowedOrigins,
        limits,
        appearance,
      }),
      placeIn(id),
    ),
    external_api_id: llm?.type === 'openai_compatible' ? llm.apiId : null,
    stt_api_id: stt?.apiId ?? null,
    tts_api_id: tts?.apiId ?? null,
    embeddings_api_id: embeddings?.apiId ?? null,
    logo_hash: logoHash,
  };
}

/** Missing in rows of older versions. */
type AddedLater =
  | 'stt'
  | 'tts'
  | 'embeddings'
  | 'voice'
  | 'turnTaking'
  | 'video'
  | 'allowedOrigins'
  | 'limits';
type StoredSettings = Omit<
  AgentSettings,
  'name' | 'avatarId' | 'knowledgeFileIds' | 'appearance' | AddedLater
> &
  Partial<Pick<AgentSettings, AddedLater>> & { appearance?: Omit<Appearance, 'logoHash'> };

const toRecord = (row: Selectable<AgentsTable>, files: Files, encryptor: Encryptor): Agent => {
  const settings = JSON.parse(encryptor.readText(row.settings, placeIn(row.id))) as StoredSettings;
  return {
    stt: null,
    tts: null,
    embeddings: null,
    voice: null,
    turnTaking: DEFAULT_TURN_TAKING,
    video: null,
    allowedOrigins: [],
    limits: null,
    ...settings,
    appearance: { ...DEFAULT_APPEARANCE, ...settings.appearance, logoHash: row.logo_hash },
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    avatarId: row.avatar_id,
    knowledgeFileIds: files.get(row.id) ?? [],
    isPrivate: row.link_secret_sealed !== null,
    createdAt: row.created_at,
  };
};

const placeIn = (id: string): string => placeOf('agents', 'settings', id);
