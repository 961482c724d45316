import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accountUsage, type Usage } from '../../src/accounts/usage.ts';
import type { Database } from '../../src/records/engine/database.ts';
import { usageRecords } from '../../src/records/sessions/usage.ts';
import { newDatabase } from '../support/records/database.ts';
import { TestClock } from '../support/test-clock.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const april = Date.UTC(2026, 3, 1);
const may = Date.UTC(2026, 4, 1);

let db: Database;
let clock: TestClock;
let usage: Usage;
let sessionCount: number;

beforeEach(async () => {
  db = await newDatabase();
  clock = new TestClock(april);
  usage = accountUsage(usageRecords(db), clock);
  sessionCount = 0;
  for (const id of ['ours', 'theirs']) {
    await db.insertInto('accounts').values({ id, name: id, created_at: 0 }).execute();
  }
});
afterEach(() => db.destroy());

type Span = { from: number | null; to: number | null; account?: string };

async function addSession({ from, to, account = 'ours' }: Span): Promise<void> {
  sessionCount += 1;
  await db
    .insertInto('sessions')
    .values({
      id: `session-${sessionCount}`,
      account_id: account,
      kind: 'avatar',
      transport: 'mediaserver',
      avatar_id: 'mira',
      room_url: '',
      room_token_sealed: '',
      token_fingerprint: `${sessionCount}`,
      built_in_room: null,
      status: to !== null ? 'completed' : from !== null ? 'ongoing' : 'to_start',
      started_at: from,
      ended_at: to,
      end_reason: null,
      epoch: 1,
      worker_id: null,
      video: '{}',
      max_length_minutes: null,
      metadata: '{}',
      idempotency_key: null,
      created_at: from ?? april,
      listed_at: sessionCount,
    })
    .execute();
}

const minutes = async () => (await usage.thisMonth({ id: 'ours' })).minutes;

describe('monthly usage', () => {
  test.each([
    { what: 'within it', from: april + DAY, to: april + DAY + 7 * MINUTE, counted: 7 },
    { what: 'before it', from: april - DAY, to: april - 1, counted: 0 },
    { what: 'up to its first moment', from: april - DAY, to: april, counted: 0 },
    { what: 'from before into it', from: april - MINUTE, to: april + 3 * MINUTE, counted: 3 },
    { what: 'from before until now', from: april - MINUTE, to: null, counted: 2 * 24 * 60 },
    { what: 'in it until now', from: april + DAY, to: null, counted: 24 * 60 },
    { what: 'that never started', from: null, to: null, counted: 0 },
    { what: 'over before it began', from: april + DAY, to: april + DAY, counted: 0 },
  ])('counts a session $what as $counted', async ({ from, to, counted }) => {
    clock.advance(2 * DAY);
    await addSession({ from, to });

    expect(await minutes()).toBe(counted);
  });

  test('covers all sessions of the account and no others', async () => {
    clock.advance(DAY);
    await addSession({ from: april, to: april + MINUTE });
    await addSession({ from: april, to: april + MINUTE / 2 });
    await addSession({ from: april, to: april + 9 * MINUTE, account: 'theirs' });

    expect(await minutes()).toBe(1.5);
  });

  test('restarts with the next month', async () => {
    clock.advance(may - april - 1);
    await addSession({ from: april, to: april + 30 * MINUTE });
    const free = { id: 'ours', plan: 'free' } as const;

    await expect(usage.check(free, 'session')).rejects.toMatchObject({ fault: 'usage_exhausted' });
    clock.advance(1);

    await expect(usage.check(free, 'session')).resolves.toBeUndefined();
    expect(await usage.thisMonth(free)).toEqual({
      startedAt: may,
      endsAt: Date.UTC(2026, 5, 1),
      minutes: 0,
    });
  });
});
