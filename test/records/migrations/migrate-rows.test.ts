import type { Selectable } from 'kysely';
import { Migrator } from 'kysely/migration';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accountLists } from '../../../src/records/accounts/account-lists.ts';
import { accountRecords } from '../../../src/records/accounts/accounts.ts';
import { agentRecords } from '../../../src/records/agents/agents.ts';
import { auditLogRecords } from '../../../src/records/audit/audit-log.ts';
import { avatarRecords } from '../../../src/records/avatars/avatars.ts';
import { blobRecords } from '../../../src/records/blobs.ts';
import { callMessageRecords } from '../../../src/records/calls/call-messages.ts';
import { callRecords } from '../../../src/records/calls/calls.ts';
import { spendingRecords } from '../../../src/records/calls/spending.ts';
import { canaryRecords } from '../../../src/records/fleet/canaries.ts';
import { cordonRecords } from '../../../src/records/fleet/cordons.ts';
import { outsideSessionRecords } from '../../../src/records/overflow/outside-sessions.ts';
import { overflowRecords } from '../../../src/records/overflow/overflows.ts';
import type { Database } from '../../../src/records/engine/database.ts';
import type { Tables } from '../../../src/records/engine/tables/tables.ts';
import { deliveryRecords } from '../../../src/records/webhooks/deliveries.ts';
import { accountErasure } from '../../../src/records/erasure/account-erasure.ts';
import { externalApiRecords } from '../../../src/records/agents/external-apis.ts';
import { keyRecords } from '../../../src/records/keys/key-records.ts';
import { knowledgeFileRecords } from '../../../src/records/knowledge/knowledge-files.ts';
import { migrate, migrations } from '../../../src/records/migrations/migrate.ts';
import { Lists } from '../../../src/records/engine/pages.ts';
import { passageVectorRecords } from '../../../src/records/knowledge/passage-vectors.ts';
import { personRecords } from '../../../src/records/people/people.ts';
import { accountDomainRecords } from '../../../src/records/people/account-domains.ts';
import { personLinkRecords } from '../../../src/records/people/person-links.ts';
import { signInRecords } from '../../../src/records/people/sign-ins.ts';
import { replyRecords } from '../../../src/records/replies.ts';
import type { Encryptor } from '../../../src/records/engine/encryption/encryptor.ts';
import { sessionRecords } from '../../../src/records/sessions/sessions.ts';
import { usageRecords } from '../../../src/records/sessions/usage.ts';
import { timelineRecords } from '../../../src/records/sessions/timelines.ts';
import { webhookRecords } from '../../../src/records/webhooks/webhooks.ts';
import { workerTokenRecords } from '../../../src/records/worker-tokens.ts';
import { newPlace, type Place } from '../../support/records/database.ts';
import { wholeTexts } from '../../support/records/whole-texts.ts';
import { fillTables, tablesOf, type Row } from '../../support/records/full-rows.ts';

const names = Object.keys(migrations) as (keyof typeof migrations)[];
const ROWS = 3;

/** Columns whose text has a required format. */
const columnTexts = {
  'account_deletions.deleted': ['{"agents":1}'],
  'accounts.retention': ['{"calls":30}'],
  'api_keys.scope': ['all', 'operator'],
  'api_keys.scopes': ['["agents:read"]'],
  'api_keys.allowed_networks': ['["10.0.0.0/8"]'],
  'overflows.avatars': ['{"mira":"ada"}'],
  'people.role': ['owner', 'builder', 'viewer'],
  'person_links.grants': ['{"role":"owner","isOperator":true,"name":null}'],
  'sessions.kind': ['avatar'],
  'sessions.status': ['to_start', 'ongoing', 'completed'],
  'sessions.video': ['{"width":512,"height":512,"fps":25}'],
  'sessions.metadata': ['{"name":"Zoë"}'],
  'sessions.signals': ['[]'],
  'agents.settings': ['{"language":"en","capabilities":[],"llm":null}'],
  'audit_entries.actor_type': ['key', 'admin', 'command'],
  'audit_entries.before_sealed': ['{"name":"a"}'],
  'audit_entries.after_sealed': ['{"name":"b"}'],
  'avatars.status': ['building', 'ready', 'failed'],
  'calls.status': ['to_start', 'ongoing', 'completed'],
  'calls.tags': ['{"a":"b"}'],
  'calls.evaluation': ['{"topic":"weather"}'],
  'calls.agent': ['{"name":"Zoë"}'],
  'call_messages.sender': ['ai', 'user'],
  'call_messages.latency': ['{"transcriptMs":3}'],
  'deliveries.status': ['pending', 'delivered', 'failed'],
  'events.payload': ['{"type":"test"}'],
  'knowledge_files.format': ['text', 'pdf'],
  'knowledge_files.status': ['available', 'to-upload'],
  'timeline_parts.entries': ['[{"at":1}]'],
  'webhooks.events': ['["test"]'],
  'webhooks.status': ['enabled', 'disabled'],
};

let place: Place;
let db: Database;
beforeEach(async () => {
  place = await newPlace({ isBare: true });
  db = place.open();
});
afterEach(async () => {
  await db.destroy();
  await place.remove();
});

describe('records of an earlier version with rows in every table', () => {
  test.each(names)('%s are complete and readable after the migration', async (version) => {
    const earlier = names.slice(0, names.indexOf(version) + 1);
    await migrateTo(earlier);
    const written = await fillTables(db, ROWS, columnTexts);
    expect(written.size).toBeGreaterThanOrEqual(4);

    expect(await migrate(db)).toEqual(names.slice(earlier.length));

    const read = readersOf(db);
    for (const [table, rows] of written) {
      const storedRows = await rowsOf(table as keyof Tables);
      // Administrators are people, too.
      const admins = table === 'people' ? (written.get('admins')?.length ?? 0) : 0;
      expect(storedRows, table).toHaveLength(ROWS + admins);
      for (const row of rows) {
        expect(storedRows, table).toContainEqual(expect.objectContaining(row));
        const { columns, values } = await read[table as keyof Tables](row as never);
        expect(values, `${table} by its repository`).toEqual(columns.map((name) => row[name]));
      }
    }
  });

  test('are read back from every current table', async () => {
    await migrate(db);

    const tables = (await tablesOf(db)).map(({ name }) => name);

    expect(Object.keys(readersOf(db)).sort()).toEqual(tables.sort());
  });
});

type Reading = { columns: string[]; values: unknown[] };
type Readers = {
  [Table in keyof Tables]: (row: Selectable<Tables[Table]>) => Promise<Reading>;
} & {
  /** Only versions before this one read it. */
  admins: (row: { id: string }) => Promise<Reading>;
};

const say = (fields: Record<string, unknown>): Reading => ({
  columns: Object.keys(fields),
  values: Object.values(fields),
});

/** For each table, what its repository reads from a row, with the columns that it comes from. */
function readersOf(db: Database): Readers {
  const lists = new Lists(Buffer.from('a secret'));
  // Plain text: migrations do not depend on the encryption.
  const encryptor: Encryptor = {
    encrypt: (text) => text,
    decrypt: (sealed) => sealed,
    readText: (stored) => stored,
    encryptBytes: (bytes) => bytes,
    readBytes: (stored) => stored,
  };
  const files = knowledgeFileRecords(db, encryptor, lists);
  return {
    accounts: async ({ id }) => {
      const record = await accountRecords(db).find(id);
      return say({ id: record?.id, name: record?.name });
    },
    api_keys: async ({ id, account_id }) => {
      const { data } = await accountLists(db, lists).keys(account_id, { limit: ROWS });
      const key = data.find((each) => each.id === id);
      return say({ id: key?.id, name: key?.name, created_at: key?.createdAt });
    },
    sessions: async ({ id, account_id }) => {
      const record = await sessionRecords(db, encryptor, lists).find(account_id, id);
      return say({
        status: record?.status,
        room_url: record?.roomUrl,
        room_token_sealed: record?.roomToken,
        started_at: record?.startedAt,
        metadata: JSON.stringify(record?.metadata),
        max_length_minutes: record?.maxLengthMinutes,
      });
    },
    canaries: async ({ id }) => {
      const nothing = { sessions: 0, failures: 0 };
      const record = await canaryRecords(db).count(id, 'stable', nothing);
      return say({ pool: record?.pool, share_percent: record?.sharePercent });
    },
    cordons: async ({ worker_id }) => {
      const ids = await cordonRecords(db).workerIds();
      return say({ worker_id: ids.find((id) => id === worker_id) });
    },
    metric_history: async ({ step_seconds, at, name }) => {
      const row = await db
        .selectFrom('metric_history')
        .selectAll()
        .where('step_seconds', '=', step_seconds)
        .where('at', '=', at)
        .where('name', '=', name)
        .executeTakeFirstOrThrow();
      return say(row);
    },
    overflows: async ({ pool }) => {
      const record = await overflowRecords(db, encryptor).find(pool);
      return say({ url: record?.url, price_micros: record?.priceMicros, period: record?.period });
    },
    outside_sessions: async ({ session_id, epoch }) => {
      const record = await outsideSessionRecords(db).find({ sessionId: session_id, epoch });
      return say({ pool: record?.pool, cost_micros: record?.costMicros, due_at: record?.dueAt });
    },
    fleet_history: async ({ step_seconds, at }) => {
      const rows = db.selectFrom('fleet_history').selectAll();
      const row = await rows
        .where('step_seconds', '=', step_seconds)
        .where('at', '=', at)
        .execute();
      return say(row[0]!);
    },
    replies: async ({ account_id, idempotency_key }) => {
      const record = await replyRecords(db, encryptor).find(account_id, idempotency_key, 0);
      return say({ request_hash: record?.requestHash, body_sealed: record?.body });
    },
    external_apis: async ({ id, account_id }) => {
      const record = await externalApiRecords(db, encryptor, lists).credentials(account_id, id);
      return say({ type: record?.type, url: record?.url, api_key_sealed: record?.apiKey });
    },
    knowledge_files: async ({ id, account_id, text_id }) => {
      const record = await wholeTexts(files).read(account_id, id);
      // Rows of earlier versions have their text in the file.
      const text = text_id
        ? { text_id: (await files.textOf(account_id, id))?.id }
        : { content: record?.content };
      return say({ name: record?.name, status: record?.status, ...text });
    },
    knowledge_texts: async ({ text_id, number }) => {
      const piece = await files.piece(text_id, number);
      return say({ number: piece === null ? null : number });
    },
    knowledge_chunks: async ({ file_id, upload_id }) => {
      const [chunk] = await files.chunks(file_id);
      const bytes = await files.readChunk(file_id, upload_id);
      return say({ number: chunk?.number, size: chunk?.size, bytes: bytes && Buffer.from(bytes) });
    },
    passage_vectors: async ({ file_id, space }) => {
      const [run] = await passageVectorRecords(db, encryptor).list(file_id, space, {
        from: 0,
        limit: 1,
      });
      return say({ number: run?.number, codes: run && Buffer.from(run.codes) });
    },
    agents: async ({ id }) => {
      const record = await agentRecords(db, encryptor, lists).get(id);
      return say({
        name: record?.name,
        avatar_id: record?.avatarId,
        created_at: record?.createdAt,
      });
    },
    agent_knowledge_files: async ({ agent_id }) => {
      const record = await agentRecords(db, encryptor, lists).get(agent_id);
      return say({ file_id: record?.knowledgeFileIds[0] });
    },
    avatars: async ({ id }) => {
      const record = await avatarRecords(db, lists).get(id);
      return say({
        name: record?.name,
        status: record?.status,
        consent: record?.consent.statement,
        picture_hash: record?.pictureHash,
      });
    },
    blobs: async ({ hash }) => {
      const bytes = await blobRecords(db, encryptor).read(hash);
      return say({ bytes: bytes && Buffer.from(bytes) });
    },
    calls: async ({ id }) => {
      const record = await callRecords(db, encryptor, lists).findAny(id);
      return say({
        agent_id: record?.agentId,
        status: record?.status,
        user_token_sealed: record?.userToken,
        tags: JSON.stringify(record?.tags),
      });
    },
    call_messages: async ({ call_id }) => {
      const [message] = await callMessageRecords(db, encryptor, lists).list(call_id);
      return say({ sender: message?.sender, message: message?.message });
    },
    spending: async ({ name, period }) => {
      const [spent] = await spendingRecords(db).find([{ name, period }]);
      return say({ model_tokens: spent?.modelTokens, seconds: spent?.seconds });
    },
    webhooks: async ({ id, account_id }) => {
      const record = await webhookRecords(db, encryptor, lists).find(account_id, id);
      return say({ url: record?.url, status: record?.status, secret_sealed: record?.secret });
    },
    // Deliveries include the type of their event.
    events: async ({ id }) => {
      const delivery = db.selectFrom('deliveries').selectAll().where('event_id', '=', id);
      const { webhook_id, id: deliveryId } = await delivery.executeTakeFirstOrThrow();
      const record = await deliveryRecords(db, encryptor, lists).find(webhook_id, deliveryId);
      return say({ id: record?.eventId, type: record?.type });
    },
    deliveries: async ({ id, webhook_id }) => {
      const record = await deliveryRecords(db, encryptor, lists).find(webhook_id, id);
      return say({ status: record?.status, attempts: record?.attempts, due_at: record?.dueAt });
    },
    worker_tokens: async ({ id }) => {
      const { data } = await workerTokenRecords(db, lists).page({ limit: ROWS });
      const token = data.find((each) => each.id === id);
      return say({ id: token?.id, name: token?.name });
    },
    audit_entries: async ({ id }) => {
      const { data } = await auditLogRecords(db, encryptor, lists).page({ limit: ROWS }, {});
      const entry = data.find((each) => each.id === id);
      return say({
        action: entry?.action,
        actor_name: entry?.actor.name,
        after_sealed: entry?.after && JSON.stringify(entry.after),
      });
    },
    deleted_usage: async ({ account_id, started_at, ended_at }) => {
      const span = { from: started_at, to: ended_at };
      const ms = await usageRecords(db).between(account_id, span);
      return say({ ended_at: ms >= 1 ? ended_at : null });
    },
    account_deletions: async ({ account_id }) => {
      const deletion = await accountErasure(db).find(account_id);
      return say({ requested_at: deletion?.requestedAt, completed_at: deletion?.completedAt });
    },
    admins: async ({ id }) => {
      const admin = await personRecords(db, lists).findMember('admins', id);
      return say({ name: admin?.name, password_hash: admin?.passwordHash });
    },
    people: async ({ id }) => {
      const person = await personRecords(db, lists).find(id);
      return say({
        name: person?.name,
        role: person?.role,
        operator_since: person?.operatorSince,
        password_hash: person?.passwordHash,
      });
    },
    sign_ins: async ({ hash }) => {
      const record = await signInRecords(db).findByHash(hash);
      return say({ person_id: record?.personId, password_tag: record?.passwordTag });
    },
    account_domains: async ({ domain }) => {
      const record = await accountDomainRecords(db, lists).find(domain);
      return say({ id: record?.id, account_id: record?.accountId, role: record?.role });
    },
    person_links: async ({ hash, used_at, created_at }) => {
      const record = await personLinkRecords(db, lists).findByHash(hash, created_at);
      // A used link is not record.
      return used_at === null ? say({ grants: JSON.stringify(record?.grants) }) : say({});
    },
    timeline_parts: async ({ session_id }) => {
      const { entries, leftOut } = await timelineRecords(db).find(session_id);
      return say({ entries: JSON.stringify(entries), left_out: leftOut });
    },
    encryption_keys: async ({ id }) => {
      const key = (await keyRecords(db).list()).find((each) => each.id === id);
      return say({ id: key?.id, activated_at: key?.activatedAt, retired_at: key?.retiredAt });
    },
    service_secrets: async ({ name }) => {
      const secret = db.selectFrom('service_secrets').selectAll().where('name', '=', name);
      return say(await secret.executeTakeFirstOrThrow());
    },
  };
}

async function rowsOf(table: keyof Tables): Promise<Row[]> {
  const rows = (await db.selectFrom(table).selectAll().execute()) as Row[];
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        value instanceof Uint8Array ? Buffer.from(value) : value,
      ]),
    ),
  );
}

async function migrateTo(versions: (keyof typeof migrations)[]): Promise<void> {
  const chosen = Object.fromEntries(versions.map((name) => [name, migrations[name]]));
  const migrator = new Migrator({ db, provider: { getMigrations: async () => chosen } });
  const { error } = await migrator.migrateToLatest();
  expect(error).toBeUndefined();
}
