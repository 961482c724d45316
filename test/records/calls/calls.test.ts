import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newRecordId } from '#shared/ids.ts';
import { accountRecords } from '../../../src/records/accounts/accounts.ts';
import {
  callMessageRecords,
  MAX_LINES,
  type CallMessageRecords,
} from '../../../src/records/calls/call-messages.ts';
import {
  callRecords,
  type CallFilter,
  type CallRecord,
  type CallRecords,
} from '../../../src/records/calls/calls.ts';
import type { Database } from '../../../src/records/engine/database.ts';
import { Lists } from '../../../src/records/engine/pages.ts';
import { newDatabase } from '../../support/records/database.ts';
import { testEncryptor } from '../../support/records/encryptor.ts';

let db: Database;
let calls: CallRecords;
let messages: CallMessageRecords;
let accountId: string;

beforeEach(async () => {
  db = await newDatabase();
  const lists = new Lists(secret);
  const encryptor = testEncryptor();
  calls = callRecords(db, encryptor, lists);
  messages = callMessageRecords(db, encryptor, lists);
  accountId = (await accountRecords(db).first(0)).id;
});
afterEach(() => db.destroy());

const secret = randomBytes(32);
const NOW = Date.UTC(2026, 0, 1);

const insert = async (fields: Partial<CallRecord> = {}): Promise<CallRecord> => {
  const call: CallRecord = {
    id: newRecordId(),
    accountId,
    agentId: 'agent-1',
    sessionId: 'session-1',
    roomUrl: 'wss://media.example',
    roomName: 'room-1',
    userToken: 'a token of the user',
    userName: 'Zoë \u{1f600}',
    userEmail: 'zoe@example.com',
    tags: { shop: '17' },
    status: 'to_start',
    startedAt: null,
    endedAt: null,
    evaluation: null,
    agent: null,
    openedFrom: null,
    rating: null,
    ratingComment: null,
    createdAt: NOW,
    ...fields,
  };
  await db.transaction().execute((trx) => calls.insert(trx, call));
  return call;
};

describe('records of calls', () => {
  test('are read as written', async () => {
    const call = await insert();

    expect(await calls.find(accountId, call.id)).toEqual(call);
    expect(await calls.find('another', call.id)).toBeNull();
    expect(await calls.ofAgent('agent-1', call.id)).toEqual(call);
    expect(await calls.ofAgent('agent-2', call.id)).toBeNull();
  });

  test('encrypt the user token', async () => {
    const { id } = await insert();

    const row = await db.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirst();

    expect(JSON.stringify(row)).not.toContain('a token of the user');
  });

  test('return their new state when moved', async () => {
    const call = await insert();
    const state = { status: 'completed', startedAt: NOW + 1, endedAt: NOW + 2 } as const;

    const moved = await db.transaction().execute((trx) => calls.move(trx, call.id, state));

    expect(moved).toEqual({ ...call, ...state });
    expect(await calls.find(accountId, call.id)).toEqual(moved);
  });

  test('are listed in stable pages, most recent first', async () => {
    const ids = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await insert()).id);

    const firstPage = await calls.page(accountId, { limit: 2 });
    await insert();
    const secondPage = await calls.page(accountId, { limit: 50, cursor: firstPage.nextCursor! });

    expect([...firstPage.data, ...secondPage.data].map(({ id }) => id)).toEqual(ids);
    expect(secondPage.nextCursor).toBeNull();
    expect((await calls.page('another', { limit: 10 })).data).toEqual([]);
  });
});

describe('ratings of calls', () => {
  test('are stored with what is written alongside, or not at all', async () => {
    const { id } = await insert();
    const rating = { rating: 'good', ratingComment: 'Quick and kind.' } as const;

    const failing = calls.rate(id, rating, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(await calls.find(accountId, id)).toMatchObject({ rating: null, ratingComment: null });

    let rated: CallRecord | null = null;
    await calls.rate(id, rating, async (_trx, call) => void (rated = call));
    expect(await calls.find(accountId, id)).toMatchObject(rating);
    expect(rated).toMatchObject({ id, ...rating });
    const row = await db.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirst();
    expect(JSON.stringify(row)).not.toContain('kind');
    await calls.rate('unknown', rating, () => Promise.reject(new Error('not called')));
  });

  test('filter the list, together with the agent', async () => {
    const ids: string[] = [];
    for (const rating of ['good', null, 'bad', 'good'] as const)
      ids.push((await insert({ rating })).id);
    const { id: ofOther } = await insert({ rating: 'good', agentId: 'agent-2' });
    const pageOf = async (filter: CallFilter) =>
      (await calls.page(accountId, { limit: 9 }, filter)).data.map(({ id }) => id);

    expect(await pageOf({ rating: 'good' })).toEqual([ofOther, ids[3], ids[0]]);
    expect(await pageOf({ rating: 'good', agentId: 'agent-1' })).toEqual([ids[3], ids[0]]);
    expect(await pageOf({ rating: 'bad', agentId: 'agent-2' })).toEqual([]);
    const { nextCursor: cursor } = await calls.page(accountId, { limit: 1 }, { rating: 'good' });
    await expect(calls.page(accountId, { limit: 1, cursor })).rejects.toThrow();
  });
});

describe('messages of a call', () => {
  test('keep their order within one millisecond', async () => {
    const { id } = await insert();
    const lines = Array.from({ length: 20 }, (_, place) => ({
      sender: place % 2 === 0 ? ('user' as const) : ('ai' as const),
      message: `line ${place}`,
      sentAt: NOW,
      latency: null,
    }));

    for (const message of lines) await messages.add(id, message.message, message, async () => {});

    expect(await messages.list(id)).toEqual(lines);
    expect(await messages.list((await insert()).id)).toEqual([]);
  });

  test('are ordered by their begin, also when added after an interruption', async () => {
    const { id } = await insert();
    const add = (message: string, sender: 'ai' | 'user', sentAt: number) =>
      messages.add(id, message, { sender, message, sentAt, latency: null }, async () => {});

    await add('Stop!', 'user', NOW + 500);
    await add('Hello, welcome to', 'ai', NOW);

    const texts = (await messages.list(id)).map(({ message }) => message);
    expect(texts).toEqual(['Hello, welcome to', 'Stop!']);
  });

  test('are not stored if the alongside writes fail', async () => {
    const { id } = await insert();
    const message = { sender: 'ai' as const, message: 'Hello!', sentAt: NOW, latency: null };

    const adding = messages.add(id, 'line-1', message, () => Promise.reject(new Error('no')));

    await expect(adding).rejects.toThrow('no');
    expect(await messages.list(id)).toEqual([]);
  });

  test('are refused beyond the size of a transcript', async () => {
    const { id } = await insert();
    const line = { sender: 'user' as const, sentAt: NOW, latency: null };
    const add = (name: string, message: string) =>
      messages.add(id, name, { ...line, message }, async () => {});
    const longestText = 'x'.repeat(20_000);
    let count = 0;
    while (await add(`line-${count}`, longestText).catch(() => false)) count += 1;

    expect(count).toBeGreaterThan(100);
    expect(count).toBeLessThan(200);
    await expect(add('another', 'x')).rejects.toMatchObject({ fault: 'too_large' });
    expect(await messages.list(id)).toHaveLength(count);
  });

  test('are refused beyond the number of lines', async () => {
    const { id } = await insert();
    const row = { call_id: id, sender: 'user' as const, message: 'Hi', sent_at: NOW };
    const rows = Array.from({ length: MAX_LINES }, (_, number) => ({
      ...row,
      id: `${id}/${number}`,
      listed_at: number,
    }));
    for (let at = 0; at < MAX_LINES; at += 500)
      await db
        .insertInto('call_messages')
        .values(rows.slice(at, at + 500))
        .execute();

    const message = { sender: 'ai' as const, message: 'Hello!', sentAt: NOW, latency: null };
    const adding = messages.add(id, 'one more', message, async () => {});

    await expect(adding).rejects.toMatchObject({ fault: 'too_large' });
  });

  test('are stored once per id within a call', async () => {
    const [firstId, otherId] = [(await insert()).id, (await insert()).id];
    const latency = {
      transcriptMs: null,
      firstTokenMs: 310,
      firstAudioMs: 420.5,
      firstFrameMs: 600,
    };
    const message = { sender: 'ai' as const, message: 'Hello!', sentAt: NOW, latency };
    let added = 0;
    const count = async () => void (added += 1);

    const results = [
      await messages.add(firstId, 'line-1', message, count),
      await messages.add(firstId, 'line-1', { ...message, message: 'Something else' }, count),
      await messages.add(otherId, 'line-1', message, count),
    ];

    expect(results).toEqual([true, false, true]);
    expect(added).toBe(2);
    expect(await messages.list(firstId)).toEqual([message]);
  });
});
