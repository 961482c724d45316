import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/records/engine/database.ts';
import { migrate, migrations } from '../../../src/records/migrations/migrate.ts';
import { newPlace, type Place } from '../../support/records/database.ts';

const names = Object.keys(migrations) as (keyof typeof migrations)[];

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

describe('migrations', () => {
  test('run once', async () => {
    expect(await migrate(db)).toEqual(names);
    expect(await migrate(db)).toEqual([]);
  });

  test('run once when several processes start together', async () => {
    const outputs = await Promise.all([runMigrate(), runMigrate(), runMigrate()]);

    const upToDate = 'The records are up to date.\n';
    expect(outputs.sort()).toEqual([`${names.join('\n')}\n`, upToDate, upToDate].sort());
  });

  test('roll back on failure, and say why', async () => {
    await db.schema.createTable('deliveries').addColumn('in_the_way', 'text').execute();

    await expect(migrate(db)).rejects.toThrow(/could not be migrated: .*deliveries.* exists/);

    expect((await tables()).sort()).toEqual(['deliveries']);
    await db.schema.dropTable('deliveries').execute();
    expect(await migrate(db)).toEqual(names);
  });
});

describe('records of an earlier version', () => {
  test('without plans: accounts become unlimited and their live sessions are counted', async () => {
    await migrateWith({ [names[0]!]: migrations['0001-accounts-and-sessions'] });
    await writeFirst();

    await migrate(db);

    const accounts = db.selectFrom('accounts').select(['id', 'plan', 'live_sessions']);
    expect(await accounts.orderBy('id').execute()).toEqual([
      { id: 'account-1', plan: 'unlimited', live_sessions: 2 },
      { id: 'account-2', plan: 'unlimited', live_sessions: 0 },
    ]);
    const keys = db.selectFrom('api_keys').select(['scope', 'last_used_at', 'revoked_at']);
    expect(await keys.execute()).toEqual([{ scope: 'all', last_used_at: null, revoked_at: null }]);
    const calls = await db.selectFrom('sessions').select('call_id').execute();
    expect(calls.map(({ call_id }) => call_id)).toEqual([null, null, null, null]);
  });
});

describe('records of a version that allowed two live sessions in one room', () => {
  test('give the room to the newer session, which repeated requests find', async () => {
    const knownNames = names.slice(0, names.indexOf('0009-one-session-a-room'));
    await migrateWith(Object.fromEntries(knownNames.map((name) => [name, migrations[name]])));
    await writeFirst();
    const set = { token_fingerprint: 'fingerprint' };
    await db.updateTable('sessions').set(set).where('account_id', '=', 'account-1').execute();

    await migrate(db);

    const rows = db
      .selectFrom('sessions')
      .select(['id', 'token_fingerprint'])
      .orderBy('created_at');
    expect(await rows.execute()).toEqual([
      { id: 'new', token_fingerprint: 'fingerprint new' },
      { id: 'begun', token_fingerprint: 'fingerprint' },
      { id: 'over', token_fingerprint: 'fingerprint' },
      { id: 'over elsewhere', token_fingerprint: 'fingerprint of over elsewhere' },
    ]);
  });
});

type FirstTable = 'accounts' | 'api_keys' | 'sessions' | 'replies';
type Row = Record<string, string | number | null>;

const session = (id: string, fields: Row): Row => ({
  id,
  account_id: 'account-1',
  transport: 'mediaserver',
  avatar_id: 'mira',
  room_url: 'wss://media.example/?a=1&b="2"',
  room_token_sealed: 'v1.nonce.tag.text',
  token_fingerprint: `fingerprint of ${id}`,
  built_in_room: 'room-1',
  started_at: null,
  ended_at: null,
  end_reason: null,
  epoch: 3,
  worker_id: 'worker-1',
  video: '{"width":512,"height":512,"fps":25}',
  max_length_minutes: 30,
  metadata: '{"name":"Zoë"}',
  idempotency_key: `key of ${id}`,
  ...fields,
});

const times = { started_at: 1_767_225_600_123, ended_at: 1_767_225_660_456 };

/** Rows of the first version with every column, ordered by `created_at`. */
const firstRows: Record<FirstTable, Row[]> = {
  accounts: [
    { id: 'account-1', name: 'first', created_at: 1 },
    { id: 'account-2', name: 'Zoë', created_at: 2 },
  ],
  api_keys: [{ id: 'key-1', account_id: 'account-1', name: 'first', hash: 'abc', created_at: 3 }],
  sessions: [
    session('new', { status: 'to_start', created_at: 4, listed_at: 4_000 }),
    session('begun', {
      status: 'ongoing',
      started_at: times.started_at,
      worker_id: null,
      max_length_minutes: null,
      idempotency_key: null,
      built_in_room: null,
      created_at: 5,
      listed_at: 1_767_225_600_123_001,
    }),
    session('over', {
      ...times,
      status: 'completed',
      end_reason: 'agent_left',
      created_at: 6,
      listed_at: 6_000,
    }),
    session('over elsewhere', {
      ...times,
      account_id: 'account-2',
      status: 'completed',
      end_reason: 'time_limit',
      created_at: 7,
      listed_at: 7_000,
    }),
  ],
  replies: [
    {
      account_id: 'account-1',
      idempotency_key: 'key of new',
      request_hash: 'hash',
      status: 201,
      body_sealed: 'v1.n.t.t',
      created_at: 8,
    },
  ],
};
const firstTables = Object.keys(firstRows) as FirstTable[];

async function writeFirst(): Promise<void> {
  const old = db as unknown as Kysely<Record<FirstTable, Row>>;
  for (const table of firstTables) await old.insertInto(table).values(firstRows[table]).execute();
}

/** Migrates like a version with only these migrations. */
async function migrateWith(
  knownMigrations: Record<string, (typeof migrations)[keyof typeof migrations]>,
) {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => knownMigrations } });
  const { error } = await migrator.migrateToLatest();
  expect(error).toBeUndefined();
}

async function tables(): Promise<string[]> {
  return (await db.introspection.getTables()).map(({ name }) => name);
}

async function runMigrate(): Promise<string> {
  const env = { ...process.env, ...place.env };
  const run = promisify(execFile);
  return (await run(process.execPath, ['src/start/commands/migrate.ts'], { env })).stdout;
}
