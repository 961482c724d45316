import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildApp, NORA, THEO, type BuiltApp } from '../support/build-app.ts';

let service: BuiltApp;
beforeEach(async () => {
  service = await buildApp({ slots: 3 });
});
afterEach(() => service.close());

const open = (key: string, payload: object = { avatar_id: NORA }, path = '/v1/sessions') =>
  service.call('POST', path, { payload, headers: { 'idempotency-key': key } });

describe('a POST with an Idempotency-Key', () => {
  test('answers a repeat as the first time, room tokens and all', async () => {
    const first = await open('key-1');

    const repeat = await open('key-1');

    expect(repeat.statusCode).toBe(201);
    expect(repeat.json()).toEqual(first.json());
    expect(repeat.json().room.agent_token).toBe('agent of room-1');
    expect(service.rooms.open.size).toBe(1);
  });

  test('answers repeats that come at the same time with one session', async () => {
    const replies = await Promise.all([open('key-1'), open('key-1'), open('key-1')]);

    expect(new Set(replies.map((reply) => reply.json().id)).size).toBe(1);
    expect(service.rooms.open.size).toBe(1);
  });

  test('opens another session under another key', async () => {
    const first = await open('key-1');

    const second = await open('key-2');

    expect(second.json().id).not.toBe(first.json().id);
  });

  test.each([
    { other: 'body', payload: { avatar_id: THEO }, path: '/v1/sessions' },
    { other: 'path', payload: { avatar_id: NORA }, path: '/v1/session' },
  ])('refuses a key that was used for another $other', async ({ payload, path }) => {
    await open('key-1');

    const reply = await open('key-1', payload, path);

    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail).toEqual([
      {
        type: 'idempotency_key',
        loc: ['header', 'idempotency-key'],
        msg: expect.any(String),
        input: 'key-1',
      },
    ]);
  });

  test('may be tried again after a failure', async () => {
    service.rooms.isAnswering = false;
    const failed = await open('key-1');
    service.rooms.isAnswering = true;

    const again = await open('key-1');

    expect([failed.statusCode, again.statusCode]).toEqual([500, 201]);
  });

  test("is an account's own", async () => {
    const first = await open('key-1');
    const stranger = await service.strangerKey();

    const theirs = await service.call('POST', '/v1/sessions', {
      payload: { avatar_id: NORA },
      headers: { 'idempotency-key': 'key-1', 'x-api-key': stranger },
    });

    expect(theirs.statusCode).toBe(201);
    expect(theirs.json().id).not.toBe(first.json().id);
  });
});
