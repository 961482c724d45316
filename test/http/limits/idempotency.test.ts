import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/records/engine/database.ts';
import { buildApp, NORA, THEO, type BuiltApp } from '../../support/api/build-app.ts';

const DAY = 24 * 3_600_000;

let service: BuiltApp;
beforeEach(async () => {
  // Without this a worker that is silent for a day would be dropped.
  service = await buildApp({ slots: 3, times: { gateway: { pingEveryMs: 10 * DAY } } });
});
afterEach(() => service.close());

const open = (key: string, payload: object = { avatar_id: NORA }, path = '/v1/sessions') =>
  service.call('POST', path, { payload, headers: { 'idempotency-key': key } });

/** Sessions end before time jumps: a worker could not acknowledge a stop during the jump. */
async function later(ms: number): Promise<void> {
  const { data } = (await service.call('GET', '/v1/sessions')).json<{ data: { id: string }[] }>();
  for (const { id } of data) await service.call('POST', `/v1/sessions/${id}/end`);
  await service.workers[0]?.atRest();
  service.clock.leap(ms);
}

async function inRecords<Result>(look: (db: Database) => Promise<Result>): Promise<Result> {
  const db = service.place.open();
  try {
    return await look(db);
  } finally {
    await db.destroy();
  }
}

describe('a POST with an Idempotency-Key', () => {
  test('answers a repeat with the first answer, including room tokens', async () => {
    const firstReply = await open('key-1');

    const repeat = await open('key-1');

    expect(repeat.statusCode).toBe(201);
    expect(repeat.json()).toEqual(firstReply.json());
    expect(repeat.json().room.agent_token).toBe('agent of room-1');
    expect(service.rooms.open.size).toBe(1);
  });

  test('answers concurrent repeats with one session', async () => {
    const replies = await Promise.all([open('key-1'), open('key-1'), open('key-1')]);

    expect(new Set(replies.map((reply) => reply.json().id)).size).toBe(1);
    expect(service.rooms.open.size).toBe(1);
  });

  test('opens another session under another key', async () => {
    const firstReply = await open('key-1');

    const second = await open('key-2');

    expect(second.json().id).not.toBe(firstReply.json().id);
  });

  test.each([
    { other: 'body', payload: { avatar_id: THEO }, path: '/v1/sessions' },
    { other: 'path', payload: { avatar_id: NORA }, path: '/v1/session' },
  ])('refuses a key used for another $other', async ({ payload, path }) => {
    await open('key-1');

    const reply = await open('key-1', payload, path);

    expect(reply.statusCode).toBe(409);
    expect(reply.json()).toMatchObject({
      detail: 'This Idempotency-Key was already used for another request.',
    });
  });

  test('refuses another body while the first request runs', async () => {
    const [firstReply, otherReply] = await Promise.all([
      open('key-1'),
      open('key-1', { avatar_id: THEO }),
    ]);

    const statuses = [firstReply.statusCode, otherReply.statusCode];
    expect(statuses.sort((a, b) => a - b)).toEqual([201, 409]);
  });

  test('repeats the first answer for a day', async () => {
    const firstReply = await open('key-1');
    await later(DAY - 1);

    const repeat = await open('key-1');

    expect(repeat.json()).toEqual(firstReply.json());
  });

  test.each([
    { what: 'the same request', payload: { avatar_id: NORA } },
    { what: 'another one', payload: { avatar_id: THEO } },
  ])('may reuse its key for $what after a day', async ({ payload }) => {
    const firstReply = await open('key-1');
    await later(DAY);

    const second = await open('key-1', payload);
    const repeat = await open('key-1', payload);

    expect(second.statusCode).toBe(201);
    expect(second.json().id).not.toBe(firstReply.json().id);
    expect(repeat.json()).toEqual(second.json());
  });

  test.each([
    { after: 1, isSame: true },
    { after: DAY, isSame: false },
  ])(
    'finds the session of an attempt killed before its answer was stored: $isSame after $after ms',
    async ({ after: delayMs, isSame }) => {
      const firstReply = await open('key-1');
      await inRecords((db) => db.deleteFrom('replies').execute());
      await later(delayMs);

      const repeat = await open('key-1');

      expect(repeat.statusCode).toBe(201);
      expect(repeat.json().id === firstReply.json().id).toBe(isSame);
    },
  );

  test('keeps replies of the last day only', async () => {
    await open('key-1');
    await later(DAY);

    await open('key-2');
    await service.app.close();

    const keptRows = await inRecords((db) =>
      db.selectFrom('replies').select('idempotency_key').execute(),
    );
    expect(keptRows.map((row) => row.idempotency_key)).toEqual(['key-2']);
  });

  test('may be retried after a failure', async () => {
    service.rooms.isAnswering = false;
    const failed = await open('key-1');
    service.rooms.isAnswering = true;

    const repeat = await open('key-1');

    expect([failed.statusCode, repeat.statusCode]).toEqual([500, 201]);
  });

  test('is scoped to the account', async () => {
    const firstReply = await open('key-1');
    const stranger = await service.strangerKey();

    const strangerReply = await service.call('POST', '/v1/sessions', {
      payload: { avatar_id: NORA },
      headers: { 'idempotency-key': 'key-1', 'x-api-key': stranger },
    });

    expect(strangerReply.statusCode).toBe(201);
    expect(strangerReply.json().id).not.toBe(firstReply.json().id);
  });
});
