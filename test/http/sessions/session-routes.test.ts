import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  API_KEY,
  buildApp,
  NORA,
  roomToken,
  THEO,
  type BuiltApp,
} from '../../support/api/build-app.ts';
import { until } from '../../support/until.ts';
import { queueDepthReaches } from '../../support/api/queue-depth.ts';
import { SECOND_AVATAR } from '../../support/cast.ts';

let service: BuiltApp;
let token: string;

let rooms = 0;
beforeEach(async () => {
  token = await roomToken({ roomJoin: true, room: `room of test ${(rooms += 1)}` });
});
const start = async () => void (service = await buildApp());
const close = () => service.close();

const url = 'wss://media.their.example';
const open = (payload: object, headers = {}) =>
  service.call('POST', '/v1/sessions', { payload, headers });

describe('opening a session', () => {
  beforeEach(start);
  afterEach(close);

  test('uses the room of the caller', async () => {
    const reply = await open({ avatar_id: NORA, url, token, transport: 'mediaserver' });

    expect(reply.statusCode).toBe(201);
    expect(reply.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      transport: 'mediaserver',
      avatar_id: NORA,
      status: { type: 'to_start' },
      url,
      created_at: '2026-01-01T12:00:00.000000+00:00',
      waited_ms: 0,
      video: { width: 512, height: 512, fps: 25 },
      metadata: {},
    });
  });

  test('tells how long the request waited for a slot', async () => {
    const full = await buildApp({ slots: 0 });

    const waiting = full.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });
    await queueDepthReaches(full);
    full.clock.advance(700);
    await full.join({ slots: 1 });

    expect((await waiting).json()).toMatchObject({ waited_ms: 700 });
    await full.close();
  });

  test('creates a room when the caller gives none', async () => {
    const reply = await open({ avatar_id: SECOND_AVATAR.alias });

    expect(reply.statusCode).toBe(201);
    expect(reply.json()).toMatchObject({
      avatar_id: THEO,
      url: 'ws://media.internal',
      room: {
        url: 'wss://media.example',
        name: 'room-1',
        agent_token: 'agent of room-1',
        viewer_token: 'viewer of room-1',
      },
    });
  });

  test('gives the worker room, token and avatar', async () => {
    await open({ avatar_id: NORA, url, token });

    const assigned = await service.workers[0]?.next('assign');
    expect(assigned).toMatchObject({
      transport: 'mediaserver',
      room: { url, token },
      avatarId: NORA,
      video: { width: 512, height: 512, fps: 25 },
    });
  });

  test('answers a repeat with the live session', async () => {
    const firstReply = await open({ avatar_id: NORA, url, token });

    const repeat = await open({ avatar_id: NORA, livekit_url: url, livekit_token: token });

    expect(repeat.statusCode).toBe(201);
    expect(repeat.json()).toEqual(firstReply.json());
    await until(() => service.workers[0]?.performing.size === 1);
  });

  test('answers two concurrent requests with one session', async () => {
    const replies = await Promise.all([1, 2].map(() => open({ avatar_id: NORA, url, token })));

    expect(new Set(replies.map((reply) => reply.json().id)).size).toBe(1);
  });

  test('opens a new session after the earlier one ended', async () => {
    const firstReply = await open({ avatar_id: NORA, url, token });
    await service.call('POST', `/v1/sessions/${firstReply.json().id}/end`);

    const second = await open({ avatar_id: NORA, url, token });

    expect(second.json().id).not.toBe(firstReply.json().id);
  });

  test('answers 503 with Retry-After when no slot becomes free', async () => {
    const full = await buildApp({ slots: 0 });

    const waiting = full.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });
    await queueDepthReaches(full);
    await full.clock.pass(2_000);
    const reply = await waiting;

    expect(reply.statusCode).toBe(503);
    expect(reply.headers['retry-after']).toBe('2');
    expect(reply.json()).toMatchObject({
      detail: expect.stringContaining('No avatar worker'),
      reason: 'no_worker_for_avatar',
    });
    await full.close();
  });

  test('answers 503 when the media server takes too long, and leaves no orphan session', async () => {
    const { promise: slowly, resolve: answerAtLast } = Promise.withResolvers<void>();
    const create = service.rooms.create.bind(service.rooms);
    let isAsked = false;
    service.rooms.create = async () => {
      isAsked = true;
      await slowly;
      return create();
    };

    const waiting = open({ avatar_id: NORA });
    await until(() => isAsked);
    await service.clock.pass(9_000);
    const reply = await waiting;
    answerAtLast();

    expect(reply.statusCode).toBe(503);
    expect(reply.json().detail).toBe('The answer took too long. Please try again shortly.');
    expect(reply.headers['retry-after']).toBe('2');
    await until(async () => {
      const listed = await service.call('GET', '/v1/sessions');
      return listed.json().data[0]?.end_reason === 'ended_by_client';
    });
    await until(() => service.rooms.open.size === 0);
  });
});

describe('a request of a client', () => {
  beforeAll(start);
  afterAll(close);

  test.each([
    { of: 'the Python plugin', body: { transport: 'livekit', url, token: '' } },
    { of: 'older plugins', body: { livekit_url: url, livekit_token: '' } },
  ])('accepts the body of $of', async ({ body }) => {
    const fields = 'token' in body ? { ...body, token } : { ...body, livekit_token: token };

    const reply = await open({ avatar_id: NORA, ...fields });

    expect(reply.statusCode).toBe(201);
    expect(reply.json()).toMatchObject({ transport: 'mediaserver', url });
  });

  test.each([
    { client: 'the Python plugin and n8n', id: 'b9be11b8-89fb-4227-8f86-4a881393cbdb', is: THEO },
    { client: 'the Node plugin', id: '694c83e2-8895-4a98-bd16-56332ca3f449', is: NORA },
    { client: 'an example', id: 'b5bebaf9-ae80-4e43-b97f-4506136ed926', is: NORA },
    { client: 'a client that uses upper case', id: NORA.toUpperCase(), is: NORA },
  ])('finds the avatar that $client requests', async ({ id, is }) => {
    const reply = await open({ avatar_id: id, url, token });

    expect(reply.json()).toMatchObject({ avatar_id: is });
  });

  test('stores the metadata', async () => {
    const metadata = { ticket: '17', customer: 'Zoë' };

    const reply = await open({ avatar_id: NORA, metadata, max_session_length_minutes: 30 });

    const retrievedBody = await service.call('GET', `/v1/sessions/${reply.json().id}`);
    expect(retrievedBody.json()).toMatchObject({ metadata, max_session_length_minutes: 30 });
  });

  test.each([
    { body: 'an empty octet stream', headers: { 'content-type': 'application/octet-stream' } },
    { body: 'empty JSON', headers: { 'content-type': 'application/json' } },
    { body: 'anything', headers: { 'content-type': 'text/plain' }, payload: 'please' },
  ])('ends a session with any request body: $body', async ({ headers, payload }) => {
    const { id } = (await open({ avatar_id: NORA })).json();

    const ended = await service.call('POST', `/v1/sessions/${id}/end`, {
      headers,
      payload: payload ?? '',
    });

    expect(ended.statusCode).toBe(200);
  });
});

describe('the lifecycle of a session', () => {
  beforeEach(start);
  afterEach(close);

  test('is visible from the first frame to the end', async () => {
    const { id } = (await open({ avatar_id: NORA, url, token })).json();
    const worker = service.workers[0];
    const { placement } = (await worker?.next('assign')) ?? expect.unreachable();

    service.clock.advance(1_500);
    await worker?.started(placement);
    const ongoing = await service.call('GET', `/v1/sessions/${id}`);
    service.clock.advance(60_250);
    await worker?.ended(placement, 'agent_left');
    const completed = await service.call('GET', `/v1/sessions/${id}`);

    expect(ongoing.json().status).toEqual({
      type: 'ongoing',
      started_at: '2026-01-01T12:00:01.500000+00:00',
    });
    expect(ongoing.json()).not.toHaveProperty('end_reason');
    expect(completed.json()).toMatchObject({
      status: {
        type: 'completed',
        started_at: '2026-01-01T12:00:01.500000+00:00',
        ended_at: '2026-01-01T12:01:01.750000+00:00',
      },
      end_reason: 'agent_left',
    });
  });

  test('says why the room could not be joined, also in its timeline and events', async () => {
    const { id } = (await open({ avatar_id: NORA, url, token })).json();
    const worker = service.workers[0] ?? expect.unreachable();
    const { placement } = await worker.next('assign');
    const detail = 'connection refused by media.their.example:443';

    await worker.ended(placement, 'room_refused', 0, detail);
    const ended = await service.call('GET', `/v1/sessions/${id}`);
    const timeline = await service.call('GET', `/v1/sessions/${id}/timeline`);

    expect(ended.json()).toMatchObject({ end_reason: 'room_refused', end_detail: detail });
    expect(timeline.json().data.at(-1)).toMatchObject({
      kind: 'ended',
      reason: 'room_refused',
      detail,
    });
  });

  test('ends on request and stays ended', async () => {
    const { id } = (await open({ avatar_id: NORA })).json();

    const ended = await service.call('POST', `/v1/sessions/${id}/end`);
    const repeatedReply = await service.call('POST', `/v1/sessions/${id}/end`);

    expect(ended.statusCode).toBe(200);
    expect(ended.json()).toMatchObject({
      status: { type: 'completed' },
      end_reason: 'ended_by_client',
    });
    expect(repeatedReply.json()).toEqual(ended.json());
    await until(() => service.rooms.open.size === 0);
  });
});

describe('listing sessions', () => {
  beforeEach(start);
  afterEach(close);

  test('is paged, most recent first', async () => {
    const ids = await openMany(12);

    const firstBody = (await service.call('GET', '/v1/sessions')).json();
    const second = (
      await service.call('GET', `/v1/sessions?cursor=${firstBody.next_cursor}`)
    ).json();

    expect(firstBody).toMatchObject({ has_more: true, next_cursor: expect.any(String) });
    expect(firstBody.data).toHaveLength(10);
    expect(second).toEqual({ data: expect.any(Array), has_more: false });
    expect(idsOf([firstBody, second])).toEqual(ids.toReversed());
  });

  test('neither repeats nor skips sessions while new ones are added', async () => {
    const ids = await openMany(6);

    const pages = [];
    let cursor = '';
    do {
      const page = (await service.call('GET', `/v1/sessions?limit=2${cursor}`)).json();
      pages.push(page);
      cursor = `&cursor=${page.next_cursor}`;
      await open({ avatar_id: NORA });
    } while (pages.at(-1)?.has_more);

    expect(idsOf(pages)).toEqual(ids.toReversed());
  });

  test('shows only the account’s own sessions', async () => {
    const { id } = (await open({ avatar_id: NORA })).json();
    const stranger = await service.strangerKey();

    const listed = await service.call('GET', '/v1/sessions', {
      headers: { 'x-api-key': stranger },
    });
    const retrievedReply = await service.call('GET', `/v1/sessions/${id}`, {
      headers: { 'x-api-key': stranger },
    });
    const ended = await service.call('POST', `/v1/sessions/${id}/end`, {
      headers: { 'x-api-key': stranger },
    });

    expect(listed.json()).toEqual({ data: [], has_more: false });
    expect([retrievedReply.statusCode, ended.statusCode]).toEqual([404, 404]);
    expect(API_KEY).not.toBe(stranger);
  });
});

async function openMany(count: number): Promise<string[]> {
  const ids = [];
  for (let index = 0; index < count; index += 1) {
    ids.push((await open({ avatar_id: NORA })).json().id as string);
  }
  return ids;
}

const idsOf = (pages: { data: { id: string }[] }[]) =>
  pages.flatMap((page) => page.data.map((session) => session.id));
