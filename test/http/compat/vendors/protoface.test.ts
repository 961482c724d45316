import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_KEY, buildApp, NORA, THEO, type BuiltApp } from '../../../support/api/build-app.ts';
import { BotroomPeer } from '../../../support/botrooms/botroom-peer.ts';
import { until } from '../../../support/until.ts';
import { SECOND_AVATAR } from '../../../support/cast.ts';

let service: BuiltApp;
beforeAll(async () => {
  service = await buildApp();
});
afterAll(() => service.close());

/** As pipecat-protoface 0.1.0 sends it. */
const start = (fields: object = {}, key = API_KEY) =>
  service.app.server.inject({
    method: 'POST',
    url: '/compat/protoface/v1/pipecat/sessions',
    headers: { authorization: `Bearer ${key}` },
    payload: { avatar_id: SECOND_AVATAR.alias, metadata: {}, relay_mode: 'websocket', ...fields },
  });

const find = async (id: string) =>
  (await service.call('GET', `/v1/sessions/${id}`)).json<Record<string, unknown>>();

describe('a Pipecat session of Protoface', () => {
  test('has a botroom in the form that the service reads', async () => {
    const reply = await start();

    expect(reply.statusCode, reply.body).toBe(201);
    const { session, relay } = reply.json();
    expect(session).toEqual({ id: expect.any(String), status: 'starting' });
    expect(relay).toEqual({
      type: 'websocket',
      media_url: expect.stringMatching(/^ws:\/\/[^/]+\/v1\/botrooms\/[\w-]+$/),
      media_token: expect.any(String),
      protocol: 'protoface.pipecat.media.v1',
      audio_sample_rate: 16_000,
    });
    expect(reply.headers['x-troupe-unused']).toBeUndefined();
    expect(await find(session.id)).toMatchObject({
      transport: 'botroom',
      avatar_id: THEO,
      url: relay.media_url,
      status: { type: 'to_start' },
    });
  });

  test('lets the client in by its token', async () => {
    const { session, relay } = (await start()).json();
    const [worker] = service.workers;
    await until(() => worker!.performing.has(session.id));
    const { room } = worker!.performing.get(session.id)!;
    const client = new BotroomPeer(`${service.url}${room.url}`, relay.media_token);
    const avatar = new BotroomPeer(`${service.url}${room.url}?epoch=1`, room.token);
    await Promise.all([client.opened, avatar.opened]);

    avatar.show(7);

    await client.hears('ready', 'video 7');
    await service.call('POST', `/v1/sessions/${session.id}/end`);
    await client.closes();
  });

  test('uses the fallback avatar for an unknown id, and says so', async () => {
    const reply = await start({ avatar_id: 'theirs_77' });

    expect(reply.headers['x-troupe-avatar']).toBe(`${NORA}; default`);
    expect(await find(reply.json().session.id)).toMatchObject({ avatar_id: NORA });
  });

  test('ends after the time that the client sets, at the latest', async () => {
    const { session } = (await start({ max_duration_seconds: 300 })).json();

    expect(await find(session.id)).toMatchObject({ max_session_length_minutes: 5 });
  });

  test('ends by the same call as every session of Protoface', async () => {
    const { session } = (await start()).json();

    const ended = await service.app.server.inject({
      method: 'POST',
      url: `/compat/protoface/v1/sessions/${session.id}/end`,
      headers: { authorization: `Bearer ${API_KEY}` },
    });

    expect(ended.statusCode, ended.body).toBe(200);
    expect(await find(session.id)).toMatchObject({ end_reason: 'ended_by_client' });
  });

  test.each([
    { wrong: 'no key', key: '', body: {}, status: 401 },
    { wrong: 'an unknown key', key: 'not-a-key-of-ours', body: {}, status: 401 },
    { wrong: 'no time', key: API_KEY, body: { max_duration_seconds: 0 }, status: 422 },
  ])('is refused with $wrong: $status', async ({ key, body, status }) => {
    const reply = await start(body, key);

    expect(reply.statusCode).toBe(status);
    expect(reply.json()).toHaveProperty('detail');
  });
});
