import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { loseWorker } from '../../support/api/lose-worker.ts';
import { FakeBotrooms } from '../../support/fleet/fake-botrooms.ts';
import { noRooms } from '../../../src/rooms/no-rooms.ts';
import { until } from '../../support/until.ts';

/** Each client token is another one, as those of the real relay. */
class CountingBotrooms extends FakeBotrooms {
  #tokens = 0;

  override async clientToken(token: string): Promise<string> {
    return `client-${(this.#tokens += 1)} of ${token.replace(/^\S+ of /, '')}`;
  }
}

const PUBLIC_URL = 'https://avatars.example';
const NO_WAIT = { SLOT_WAIT_MS: '0' };
const BOT = 'wss://bot.example/ws';

let service: BuiltApp;
let botrooms: CountingBotrooms;
beforeEach(async () => {
  botrooms = new CountingBotrooms();
  service = await buildApp({
    otherRooms: { botrooms },
    env: { PUBLIC_URL, ALLOWED_NETWORKS: '192.168.7.0/24' },
  });
});
afterEach(() => service.close());

const open = (fields: object = {}, headers: Record<string, string> = {}) =>
  service.call('POST', '/v1/sessions', {
    payload: { avatar_id: NORA, transport: 'botroom', ...fields },
    headers,
  });
const find = async (id: string) => (await service.call('GET', `/v1/sessions/${id}`)).json();
const fields = {
  id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  transport: 'botroom',
  avatar_id: NORA,
  status: { type: 'to_start' },
  created_at: '2026-01-01T12:00:00.000000+00:00',
  waited_ms: 0,
  video: { width: 512, height: 512, fps: 25 },
  metadata: {},
};
const url = 'wss://avatars.example/v1/botrooms/botroom-1';

describe('opening a botroom', () => {
  test('answers with its public address and a token for the client', async () => {
    const reply = await open();

    expect(reply.statusCode).toBe(201);
    expect(reply.json()).toEqual({
      ...fields,
      url,
      token: expect.stringMatching(/^client-\d of botroom-1$/),
    });
  });

  test('uses the address of the request when the service has none', async () => {
    await service.close();
    botrooms = new CountingBotrooms();
    service = await buildApp({ otherRooms: { botrooms } });

    const reply = await open({}, { host: 'avatars.lan:8080' });

    expect(reply.json().url).toBe('ws://avatars.lan:8080/v1/botrooms/botroom-1');
  });

  test('assigns it to a worker by its path, with the token of the avatar', async () => {
    await open();

    const assigned = await service.workers[0]!.next('assign');

    expect(assigned).toMatchObject({
      transport: 'botroom',
      room: { url: '/v1/botrooms/botroom-1', token: 'avatar of botroom-1' },
    });
    expect(assigned).not.toHaveProperty('speech');
  });

  test('shows the address later, and never a token', async () => {
    const { id } = (await open()).json();

    const listed = await service.call('GET', '/v1/sessions');

    expect(await find(id)).toEqual({ ...fields, url });
    expect(listed.json().data).toEqual([{ ...fields, url }]);
  });

  test('closes it when the session ends', async () => {
    const { id } = (await open()).json();
    expect(botrooms.open.size).toBe(1);

    await service.call('POST', `/v1/sessions/${id}/end`);

    await until(() => botrooms.ended.length > 0);
    expect(botrooms.ended).toEqual([
      {
        path: '/v1/botrooms/botroom-1',
        token: 'avatar of botroom-1',
        reason: 'ended_by_client',
      },
    ]);
  });

  test('needs a worker with the transport', async () => {
    await service.close();
    botrooms = new CountingBotrooms();
    service = await buildApp({ otherRooms: { botrooms }, slots: 0, env: NO_WAIT });
    await service.join({ slots: 1, transports: ['mediaserver'] });

    const reply = await open();

    expect(reply.statusCode).toBe(503);
    expect(reply.json()).toMatchObject({
      reason: 'no_worker_for_avatar',
      detail: 'No avatar worker that is connected can show this avatar with the transport botroom.',
    });
    expect(botrooms.open.size).toBe(0);
  });

  test('frees the slot when the relay makes no room', async () => {
    await service.close();
    botrooms = new CountingBotrooms();
    service = await buildApp({ otherRooms: { botrooms }, slots: 1, env: NO_WAIT });
    botrooms.isAnswering = false;
    expect((await open()).statusCode).toBe(500);

    botrooms.isAnswering = true;

    expect((await open()).statusCode).toBe(201);
  });

  test('makes two rooms for two requests', async () => {
    const [firstReply, secondReply] = [await open(), await open()];

    expect(firstReply.json().url).not.toBe(secondReply.json().url);
  });
});

describe('a repeated request', () => {
  const key = { 'idempotency-key': 'key-1' };

  test('returns the same session with a fresh token', async () => {
    const firstBody = (await open({}, key)).json();

    const secondBody = (await open({}, key)).json();

    expect({ ...secondBody, token: '' }).toEqual({ ...firstBody, token: '' });
    expect(secondBody.token).toMatch(/^client-\d of botroom-1$/);
    expect(secondBody.token).not.toBe(firstBody.token);
    expect(botrooms.open.size).toBe(1);
  });

  test('returns a token too when the first answer was never stored', async () => {
    const { id } = (await open({}, key)).json();
    const database = service.place.open();
    await database.deleteFrom('replies').execute();
    await database.destroy();

    const second = (await open({}, key)).json();

    expect(second).toMatchObject({ id, url });
    expect(second.token).toMatch(/^client-\d of botroom-1$/);
  });

  test('has a conflict when it asks for something else', async () => {
    await open({}, key);

    expect((await open({ url: BOT }, key)).statusCode).toBe(409);
  });
});

describe('a request that is answered too late', () => {
  test('leaves no botroom open', async () => {
    const begun = Promise.withResolvers<void>();
    const hold = Promise.withResolvers<void>();
    const create = botrooms.create.bind(botrooms);
    botrooms.create = async () => {
      begun.resolve();
      await hold.promise;
      return create();
    };
    const opening = open();
    await begun.promise;
    service.clock.advance(9_000);
    expect((await opening).statusCode).toBe(503);

    hold.resolve();

    await until(() => botrooms.ended.length > 0);
    expect(botrooms.open.size).toBe(0);
    expect((await service.call('GET', '/v1/sessions?status=to_start')).json().data).toEqual([]);
  });
});

describe('a bot of the caller', () => {
  test('gets a room of its own for its face', async () => {
    const reply = await open({ url: BOT, token: 'key-of-the-bot' });

    expect(reply.statusCode).toBe(201);
    expect(reply.json()).toEqual({
      ...fields,
      url: BOT,
      room: {
        url: 'wss://media.example',
        name: 'room-1',
        viewer_token: 'viewer of room-1',
      },
    });
    expect(reply.body).not.toContain('key-of-the-bot');
  });

  test('is dialled by the worker, under the address policy', async () => {
    await open({ url: BOT, token: 'key' });

    expect(await service.workers[0]!.next('assign')).toMatchObject({
      transport: 'mediaserver',
      room: { url: 'ws://media.internal', token: 'avatar of room-1' },
      speech: {
        protocol: 'pipecat',
        url: BOT,
        token: 'key',
        networks: '192.168.7.0/24',
      },
    });
  });

  test('may need no token', async () => {
    await open({ url: BOT });

    const { speech } = await service.workers[0]!.next('assign');
    expect(speech).not.toHaveProperty('token');
  });

  test('keeps its address and token when the worker is lost', async () => {
    await service.close();
    // Metrics without a key are for this machine only.
    service = await buildApp();
    const { id } = (await open({ url: BOT, token: 'key' })).json();
    const [firstWorker] = service.workers;
    await firstWorker!.next('assign');
    const otherWorker = await service.join();

    await loseWorker(service, () => firstWorker!.crash());

    expect(await otherWorker.next('assign')).toMatchObject({
      placement: { sessionId: id, epoch: 2 },
      speech: { url: BOT, token: 'key' },
    });
  });

  test('is shown by its address, never with its token', async () => {
    const { id } = (await open({ url: BOT, token: 'key-of-the-bot' })).json();

    const retrievedReply = await service.call('GET', `/v1/sessions/${id}`);

    expect(retrievedReply.json()).toEqual({ ...fields, url: BOT });
  });

  test('may have several sessions', async () => {
    const [firstReply, secondReply] = [await open({ url: BOT }), await open({ url: BOT })];

    expect(firstReply.json().id).not.toBe(secondReply.json().id);
  });

  test('needs a worker that takes speech from elsewhere', async () => {
    await service.close();
    service = await buildApp({ slots: 0, env: NO_WAIT });
    await service.join({ slots: 1, abilities: [] });

    const reply = await open({ url: BOT });

    expect(reply.statusCode).toBe(503);
    expect(service.rooms.open.size).toBe(0);
  });

  test('closes its room when the session ends', async () => {
    const { id } = (await open({ url: BOT })).json();
    expect([...service.rooms.open]).toEqual(['room-1']);

    await service.call('POST', `/v1/sessions/${id}/end`);

    await until(() => service.rooms.open.size === 0);
    expect(botrooms.ended).toEqual([]);
  });

  test('is refused when the service has no media server', async () => {
    await service.close();
    service = await buildApp({ rooms: noRooms });

    const reply = await open({ url: BOT });

    expect(reply.statusCode).toBe(501);
    expect(reply.json().detail).toMatch(/no media server/);
  });
});

const renewToken = (id: string) => service.call('POST', `/v1/sessions/${id}/token`);

describe('another token for the client of a botroom', () => {
  test('opens the same room, each time with a new token', async () => {
    const { id, token } = (await open()).json();

    const replies = [await renewToken(id), await renewToken(id)];

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
    const tokens = replies.map((reply) => reply.json());
    expect(tokens).toMatchObject([{ url }, { url }]);
    const allTokens = [token, ...tokens.map((body) => body.token)];
    expect(new Set(allTokens).size).toBe(3);
    expect(allTokens).toEqual(Array(3).fill(expect.stringMatching(/^client-\d of botroom-1$/)));
    expect(replies[0]!.headers['cache-control']).toBe('no-store');
  });

  test('is refused after the session, and for a session without a botroom', async () => {
    const { id } = (await open()).json();
    await service.call('POST', `/v1/sessions/${id}/end`);
    const roomed = (await open({ transport: 'mediaserver' })).json();
    const bot = (await open({ url: BOT })).json();

    const replies = await Promise.all([id, roomed.id, bot.id, 'nobody'].map(renewToken));

    expect(replies.map((reply) => [reply.statusCode, reply.json().detail])).toEqual([
      [409, 'The session is over.'],
      [409, 'The session has no botroom.'],
      [409, 'The session has no botroom.'],
      [404, expect.any(String)],
    ]);
  });

  test('is refused to the keys of other accounts', async () => {
    const { id } = (await open()).json();
    const stranger = { 'x-api-key': await service.strangerKey() };

    const reply = await service.call('POST', `/v1/sessions/${id}/token`, { headers: stranger });

    expect(reply.statusCode).toBe(404);
  });
});

describe('the older paths', () => {
  test('show a botroom without a token', async () => {
    const { id } = (await open()).json();

    const retrievedReply = await service.call('GET', `/v1/session/${id}`);

    expect(retrievedReply.json()).toMatchObject({ id, livekit_url: url, livekit_token: '' });
  });
});
