import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newRecordId } from '#shared/ids.ts';
import { accountRecords } from '../../../src/records/accounts/accounts.ts';
import type { Database } from '../../../src/records/engine/database.ts';
import { Lists } from '../../../src/records/engine/pages.ts';
import {
  SessionExists,
  sessionRecords,
  type SessionRecord,
  type SessionRecords,
  type SessionWatcher,
} from '../../../src/records/sessions/sessions.ts';
import { usageRecords } from '../../../src/records/sessions/usage.ts';
import { newSession } from '../../support/records/conversations.ts';
import { newDatabase } from '../../support/records/database.ts';
import { testEncryptor } from '../../support/records/encryptor.ts';

let db: Database;
let records: SessionRecords;
let accountId: string;

beforeEach(async () => {
  db = await newDatabase();
  records = sessionRecords(db, testEncryptor(secret), new Lists(secret));
  accountId = (await accountRecords(db).first(0)).id;
});
afterEach(() => db.destroy());

const secret = randomBytes(32);
const NOW = Date.UTC(2026, 0, 1);

const session = (fields: Partial<SessionRecord> = {}): SessionRecord =>
  newSession(accountId, NOW, fields);

const insert = async (fields: Partial<SessionRecord> = {}) => {
  const record = session(fields);
  await records.insert(record, { maxLive: null });
  return record;
};

const ongoing = {
  status: 'ongoing',
  startedAt: NOW,
  endedAt: null,
  endReason: null,
  endDetail: null,
} as const;

const completed = {
  status: 'completed',
  startedAt: NOW,
  endedAt: NOW,
  endReason: 'time_limit',
  endDetail: null,
} as const;

describe('session records', () => {
  test('are read as written', async () => {
    const record = await insert({
      builtInRoom: 'room-1',
      workerId: 'worker-1',
      maxLengthMinutes: 5,
      metadata: { name: 'Zoë "the" \\ 😀' },
      idempotencyKey: 'key-1',
      transport: 'botroom',
      speech: { protocol: 'pipecat', url: 'wss://bot.example/ws' },
      ...completed,
    });

    expect(await records.find(accountId, record.id)).toEqual(record);
  });

  test('encrypt the tokens, and the address of a bot', async () => {
    const speech = {
      protocol: 'pipecat',
      url: 'wss://bot.example/?key=secret',
      token: 'secret',
    } as const;
    const { id } = await insert({ roomToken: 'eyJ.secret.sign', speech });
    await records.updateRenewedToken(id, 'eyJ.newer-secret.sign');

    const rows = await db.selectFrom('sessions').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('secret');
    expect(await records.find(accountId, id)).toMatchObject({
      roomToken: 'eyJ.secret.sign',
      renewedToken: 'eyJ.newer-secret.sign',
      speech,
    });
  });

  test('are visible to their account only', async () => {
    const { id } = await insert({ idempotencyKey: 'key-1', tokenFingerprint: 'fingerprint' });

    expect(await records.find('another', id)).toBeNull();
    expect(await records.findLiveByFingerprint('another', 'fingerprint')).toBeNull();
    expect(await records.findByIdempotencyKey('another', 'key-1')).toBeNull();
    expect((await records.page('another', { limit: 10 })).data).toEqual([]);
  });

  test('find a live session by its room, never a completed one', async () => {
    const { id } = await insert({ tokenFingerprint: 'fingerprint' });
    expect((await records.findLiveByFingerprint(accountId, 'fingerprint'))?.id).toBe(id);

    await records.updateState(session({ id }), completed);

    expect(await records.findLiveByFingerprint(accountId, 'fingerprint')).toBeNull();
  });

  test('find a session by its idempotency key, also a completed one', async () => {
    const { id } = await insert({ idempotencyKey: 'key-1' });
    await records.updateState(session({ id }), completed);

    expect((await records.findByIdempotencyKey(accountId, 'key-1'))?.id).toBe(id);
    expect(await records.findByIdempotencyKey(accountId, 'key-2')).toBeNull();
  });

  test('accept an idempotency key once', async () => {
    await insert({ idempotencyKey: 'key-1' });

    await expect(insert({ idempotencyKey: 'key-1' })).rejects.toThrow(SessionExists);
  });

  test('accept one live session per room, and another after its end', async () => {
    const { id } = await insert({ tokenFingerprint: 'fingerprint' });
    const insertAgain = () => insert({ tokenFingerprint: 'fingerprint' });

    await expect(insertAgain()).rejects.toThrow(SessionExists);

    await records.updateState(session({ id }), completed);
    await insertAgain();
    await expect(insertAgain()).rejects.toThrow(SessionExists);
  });

  test('never change a completed session', async () => {
    const { id } = await insert();
    await records.updateState(session({ id }), completed);

    await records.updateState(session({ id }), {
      status: 'ongoing',
      startedAt: NOW + 5,
      endedAt: null,
      endReason: null,
      endDetail: null,
    });

    expect(await records.find(accountId, id)).toMatchObject(completed);
  });

  test('never go back to an older epoch', async () => {
    const { id } = await insert();
    expect(await records.updatePlacement(id, { epoch: 3, workerId: 'new' })).toBe(true);

    expect(await records.updatePlacement(id, { epoch: 2, workerId: 'old' })).toBe(false);

    expect(await records.find(accountId, id)).toMatchObject({ epoch: 3, workerId: 'new' });
  });

  test('give an epoch to one worker', async () => {
    const { id } = await insert();
    const placement = { epoch: 2, workerId: 'first' };
    expect(await records.updatePlacement(id, placement)).toBe(true);

    expect(await records.updatePlacement(id, { epoch: 2, workerId: 'second' })).toBe(false);

    expect(await records.find(accountId, id)).toMatchObject(placement);
    // Repeated, because the answer was lost.
    expect(await records.updatePlacement(id, placement)).toBe(true);
  });

  test('never place a completed session', async () => {
    const { id, epoch, workerId } = await insert();
    await records.updateState(session({ id }), completed);

    expect(await records.updatePlacement(id, { epoch: epoch + 1, workerId: 'new' })).toBe(false);

    expect(await records.find(accountId, id)).toMatchObject({ epoch, workerId });
  });

  test('list the live sessions, oldest first', async () => {
    const older = await insert();
    const endedSession = await insert();
    const newer = await insert();
    await records.updateState(endedSession, completed);

    const live = await records.live();

    expect(live.map(({ id }) => id)).toEqual([older.id, newer.id]);
  });

  test('list the placements of any number of live sessions', async () => {
    const endedSession = await insert();
    await records.updateState(endedSession, completed);
    const sessions = [];
    for (let count = 0; count < 205; count += 1) sessions.push(await insert());
    const [placed] = sessions;
    await records.updatePlacement(placed!.id, { epoch: 2, workerId: 'new' });

    const places = await records.livePlaces();

    expect(places.map(({ id }) => id).toSorted()).toEqual(sessions.map(({ id }) => id).toSorted());
    expect(places).toContainEqual({
      id: placed!.id,
      epoch: 2,
      workerId: 'new',
      builtInRoom: placed!.builtInRoom,
    });
  });
});

describe('pages of session records', () => {
  test('keep the order of insertion within one millisecond', async () => {
    const ids = [];
    for (let count = 0; count < 5; count += 1) ids.push((await insert()).id);

    const { data, nextCursor } = await records.page(accountId, { limit: 5 });

    expect(data.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(nextCursor).toBeNull();
  });

  test.each(['', 'x', 'MTIz', '!!!', Buffer.from('1:2;drop').toString('base64url')])(
    'refuse %o as a cursor or ignore it',
    async (cursor) => {
      const page = records.page(accountId, { limit: 5, cursor });

      if (cursor === '') expect((await page).data).toEqual([]);
      else await expect(page).rejects.toMatchObject({ status: 422 });
    },
  );

  test('neither repeat nor skip rows when others are added', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 12 }),
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 12 }),
        async (count, limit, additions) => {
          await db.deleteFrom('sessions').execute();
          const storedIds: string[] = [];
          for (let createdCount = 0; createdCount < count; createdCount += 1)
            storedIds.unshift((await insert()).id);

          const listedIds: string[] = [];
          let cursor: string | undefined;
          do {
            const page = await records.page(accountId, { limit, cursor });
            listedIds.push(...page.data.map(({ id }) => id));
            cursor = page.nextCursor ?? undefined;
            for (let added = additions.pop() ?? 0; added > 0; added -= 1) await insert();
          } while (cursor);

          expect(listedIds).toEqual(storedIds);
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('changes that arrive together', () => {
  test('are written in one transaction and counted', async () => {
    const transactions = new Set<unknown>();
    const watcher: SessionWatcher = async (trx) => void transactions.add(trx);
    records = sessionRecords(db, testEncryptor(secret), new Lists(secret), [watcher]);
    const ids = [(await insert()).id, (await insert()).id, (await insert()).id];

    await Promise.all(ids.slice(1).map((id) => records.updateState(session({ id }), completed)));

    expect(transactions.size).toBe(1);
    for (const id of ids.slice(1)) {
      expect(await records.find(accountId, id)).toMatchObject(completed);
    }
    expect(await usageRecords(db).live(accountId)).toBe(1);
  });

  test('are reported once, also when repeated after a lost commit answer', async () => {
    const changes: string[] = [];
    const watcher: SessionWatcher = async (_trx, { id }, change) =>
      void changes.push(`${change} ${id}`);
    records = sessionRecords(db, testEncryptor(secret), new Lists(secret), [watcher]);
    const { id } = await insert();

    for (const fields of [ongoing, ongoing, completed, completed])
      await records.updateState(session({ id }), fields);

    expect(changes).toEqual([`started ${id}`, `ended ${id}`]);
  });

  test('are reported in the order of each session, however many', async () => {
    const changes = new Map<string, string[]>();
    const watcher: SessionWatcher = async (_trx, { id }, change) =>
      void changes.set(id, [...(changes.get(id) ?? []), change]);
    records = sessionRecords(db, testEncryptor(secret), new Lists(secret), [watcher]);
    const ids: string[] = [];
    for (let count = 0; count < 40; count += 1) ids.push((await insert()).id);

    await Promise.all(
      ids.flatMap((id, i) => [
        records.updateState(session({ id }), { ...ongoing, startedAt: NOW + i }),
        records.updateState(session({ id }), {
          ...completed,
          startedAt: NOW + i,
          endedAt: NOW + 50,
        }),
      ]),
    );

    for (const [i, id] of ids.entries()) {
      expect(changes.get(id)).toEqual(['started', 'ended']);
      expect(await records.find(accountId, id)).toMatchObject({
        status: 'completed',
        startedAt: NOW + i,
        endedAt: NOW + 50,
        endReason: 'time_limit',
      });
    }
    expect(await usageRecords(db).live(accountId)).toBe(0);
  });

  test('end both halves of a call for one reason, whatever each reports', async () => {
    const call = { callId: newRecordId() };
    const avatar = session(call);
    const conversation = session({ ...call, kind: 'agent' });
    await records.insert(avatar, { maxLive: null, partner: conversation });
    const otherSession = await insert();

    await Promise.all([
      records.updateState(otherSession, { ...completed, endReason: 'time_limit' }),
      records.updateState(conversation, { ...completed, endReason: 'agent_left' }),
      records.updateState(avatar, { ...completed, endedAt: NOW + 5, endReason: 'removed' }),
    ]);

    for (const { id } of [avatar, conversation])
      expect(await records.findAny(id)).toMatchObject({ endedAt: NOW, endReason: 'agent_left' });
    expect(await usageRecords(db).live(accountId)).toBe(0);
  });

  test('do not fail because of one', async () => {
    const bad = (await insert()).id;
    const good = (await insert()).id;
    const watcher: SessionWatcher = async (_trx, { id }) => {
      if (id === bad) throw new Error('not this one');
    };
    records = sessionRecords(db, testEncryptor(secret), new Lists(secret), [watcher]);

    const outcomes = await Promise.allSettled(
      [bad, good].map((id) => records.updateState(session({ id }), completed)),
    );

    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(await records.find(accountId, bad)).toMatchObject({ status: 'to_start' });
    expect(await records.find(accountId, good)).toMatchObject(completed);
    expect(await usageRecords(db).live(accountId)).toBe(1);
  });
});
