import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newRecordId } from '#shared/ids.ts';
import { createLog } from '#shared/log.ts';
import { RetentionSweep } from '../../../src/accounts/erasure/retention-sweep.ts';
import { accountLists } from '../../../src/records/accounts/account-lists.ts';
import { accountRecords } from '../../../src/records/accounts/accounts.ts';
import type { RetentionDays } from '../../../src/records/engine/tables/account-columns.ts';
import { callMessageRecords } from '../../../src/records/calls/call-messages.ts';
import { callRecords } from '../../../src/records/calls/calls.ts';
import type { Database } from '../../../src/records/engine/database.ts';
import { Lists } from '../../../src/records/engine/pages.ts';
import { retentionRecords } from '../../../src/records/erasure/retention.ts';
import {
  toOutsideRow,
  type OutsideSession,
} from '../../../src/records/overflow/outside-session.ts';
import { outsideSessionRecords } from '../../../src/records/overflow/outside-sessions.ts';
import { sessionRecords } from '../../../src/records/sessions/sessions.ts';
import { timelineRecords } from '../../../src/records/sessions/timelines.ts';
import { usageRecords } from '../../../src/records/sessions/usage.ts';
import { pastCall, pastSession } from '../../support/records/conversations.ts';
import { newDatabase } from '../../support/records/database.ts';
import { TestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';
import { testEncryptor } from '../../support/records/encryptor.ts';

const DAY = 86_400_000;
const secret = randomBytes(32);
const encryptor = testEncryptor(secret);

let db: Database;
let lists: Lists;
let clock: TestClock;
let accountId: string;
let sweep: RetentionSweep;
let logged: string[];
const log = createLog(
  { name: 'test' },
  { write: (line: string) => void logged.push((JSON.parse(line) as { msg: string }).msg) },
);
beforeEach(async () => {
  db = await newDatabase();
  clock = new TestClock();
  logged = [];
  lists = new Lists(secret);
  accountId = (await accountRecords(db).first(0)).id;
});
afterEach(async () => {
  await sweep.close();
  expect(clock.waiting, 'timers left').toBe(0);
  await db.destroy();
});

function start(days: RetentionDays): void {
  const retention = retentionRecords(db);
  const outsideSessions = outsideSessionRecords(db);
  const parts = { retention, outsideSessions, accountLists: accountLists(db, lists), days };
  sweep = new RetentionSweep({ ...parts, clock, log });
  sweep.start();
}

/** Begins the first sweep, and ends its pauses. */
async function swept(isDone: () => Promise<boolean>): Promise<void> {
  clock.advance(60_000);
  await until(async () => {
    if (await isDone()) return true;
    clock.advance(50);
    return false;
  });
}

const ago = (days: number) => clock.now() - days * DAY;

async function addSession(days: number, values: Parameters<typeof pastSession>[2] = {}) {
  const session = pastSession(accountId, ago(days), values);
  await sessionRecords(db, encryptor, lists).insert(session, { maxLive: null });
  await timelineRecords(db).add([{ sessionId: session.id, entries: [], leftOut: 0 }]);
  return session.id;
}

async function addCall(days: number) {
  const rating = { rating: 'bad', ratingComment: 'It froze.' } as const;
  const call = pastCall(accountId, ago(days), rating);
  await db.transaction().execute((trx) => callRecords(db, encryptor, lists).insert(trx, call));
  const line = { sender: 'user' as const, message: 'hello', sentAt: ago(days), latency: null };
  await callMessageRecords(db, encryptor, lists).add(call.id, 'line-1', line, async () => {});
  const kinds = ['avatar', 'agent'] as const;
  for (const kind of kinds) await addSession(days, { callId: call.id, kind });
  return call.id;
}

/** Of a session that is not recorded, unless given. */
async function addOutside(
  days: number,
  { sessionId = newRecordId(), epoch = 1, isOver = true } = {},
): Promise<string> {
  const at = ago(days);
  const times = { reservedAt: at, heardAt: at, lengthMs: 1, dueAt: at };
  const money = { priceMicros: 1, limitMs: 1, costMicros: 1 };
  const session: OutsideSession = {
    sessionId,
    epoch,
    pool: 'default',
    state: { type: isOver ? 'closed' : 'ending', outsideId: 'theirs' },
    endReason: null,
    failures: 0,
    version: 0,
    ...times,
    ...money,
  };
  await db.insertInto('outside_sessions').values(toOutsideRow(session)).execute();
  return sessionId;
}

const usedMs = () => usageRecords(db).between(accountId, { from: ago(20), to: clock.now() });
const ids = async (table: 'sessions' | 'calls') =>
  (await db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id);
const outsideIds = async () =>
  (await db.selectFrom('outside_sessions').select('session_id').execute())
    .map((row) => row.session_id)
    .sort();
const ratings = () => db.selectFrom('calls').select(['rating', 'rating_comment_sealed']).execute();
const countOf = async (table: 'timeline_parts' | 'call_messages' | 'events' | 'deliveries') =>
  (await db.selectFrom(table).selectAll().execute()).length;

describe('retention', () => {
  test('deletes sessions with their timelines after their days, and keeps their minutes', async () => {
    await addSession(10);
    const recentId = await addSession(9);
    const usedBeforeMs = await usedMs();
    start({ sessions: 10 });

    await swept(async () => (await ids('sessions')).length === 1);

    expect(await ids('sessions')).toEqual([recentId]);
    expect(await countOf('timeline_parts')).toBe(1);
    expect(usedBeforeMs).toBe(120_000);
    expect(await usedMs()).toBe(usedBeforeMs);
  });

  test('deletes what outside services did for deleted sessions, after the month of its ceiling', async () => {
    const sessionId = await addSession(50);
    const recentId = await addSession(40);
    for (const epoch of [1, 2]) await addOutside(50, { sessionId, epoch });
    for (let i = 0; i < 250; i += 1) await addOutside(32);
    const expected = [
      await addOutside(40, { sessionId: recentId }),
      await addOutside(30),
      await addOutside(50, { isOver: false }),
    ];
    start({ sessions: 45 });

    await swept(async () => (await outsideIds()).length === 3);

    expect(await outsideIds()).toEqual(expected.sort());
    expect(await ids('sessions')).toEqual([recentId]);
  });

  test('never deletes what is live', async () => {
    const live = await addSession(10, {
      status: 'ongoing',
      endedAt: null,
      endReason: null,
    });
    await addSession(10);
    start({ sessions: 1 });

    await swept(async () => (await ids('sessions')).length === 1);

    expect(await ids('sessions')).toEqual([live]);
  });

  test('deletes calls with transcripts and both sessions', async () => {
    await addCall(10);
    const callId = await addCall(9);
    start({ calls: 10 });

    await swept(async () => (await ids('calls')).length === 1);

    expect(await ids('calls')).toEqual([callId]);
    expect(await countOf('call_messages')).toBe(1);
    expect(await ids('sessions')).toHaveLength(2);
  });

  test('deletes transcripts with comments, and timelines, alone, in many batches', async () => {
    for (let i = 0; i < 3; i += 1) await addCall(10);
    for (let i = 0; i < 250; i += 1) await addSession(10);
    start({ transcripts: 9, timelines: 9 });

    await swept(
      async () => (await countOf('timeline_parts')) + (await countOf('call_messages')) === 0,
    );

    const rated = { rating: 'bad', rating_comment_sealed: null };
    expect(await ratings()).toEqual([rated, rated, rated]);
    expect(await ids('sessions')).toHaveLength(256);
  });

  test('is shorter for an account that says so', async () => {
    await accountRecords(db).change(accountId, { retention: { sessions: 5 } });
    await addSession(6);
    const recentId = await addSession(4);
    start({ sessions: 10 });

    await swept(async () => (await ids('sessions')).length === 1);

    expect(await ids('sessions')).toEqual([recentId]);
  });

  test('deletes webhook events, delivered or not', async () => {
    const addEvent = (id: string, created_at: number) =>
      db
        .insertInto('events')
        .values({ id, account_id: accountId, type: 'test', payload: '{}', created_at })
        .execute();
    await addEvent('old', ago(30));
    await addEvent('new', ago(29));
    start({ deliveries: 30 });

    await swept(async () => (await countOf('events')) === 1);

    expect((await db.selectFrom('events').select('id').execute())[0]).toEqual({ id: 'new' });
  });

  test('repeats every hour, and goes on after a failure', async () => {
    start({ sessions: 10 });
    await db.schema.alterTable('sessions').renameTo('away').execute();
    clock.advance(60_000);
    await until(() => logged.includes('old data not deleted'));
    await db.schema.alterTable('away').renameTo('sessions').execute();
    await addSession(10);

    clock.advance(3_600_000);

    await until(async () => (await ids('sessions')).length === 0);
  });
});
