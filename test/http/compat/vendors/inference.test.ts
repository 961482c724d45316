import { decodeJwt, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_KEY, buildApp, NORA, THEO, type BuiltApp } from '../../../support/api/build-app.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { until } from '../../../support/until.ts';
import { SECOND_AVATAR } from '../../../support/cast.ts';

const secrets = {
  devkey: 'a secret of thirty-two characters',
  otherkey: 'another one of thirty-two letters',
} as const;

const firstUrl = 'ws://127.0.0.1:7880';
const otherUrl = 'wss://media.example';

let service: BuiltApp;
beforeAll(async () => {
  const servers = [
    `ws://devkey:${encodeURIComponent(secrets.devkey)}@127.0.0.1:7880`,
    `wss://otherkey:${encodeURIComponent(secrets.otherkey)}@media.example`,
  ];
  service = await buildApp({ slots: 100, env: { INFERENCE_MEDIA_SERVERS: servers.join(',') } });
});
afterAll(() => service.close());

const now = Math.floor(new TestClock().now() / 1000);

/** Inference token as both frameworks make it. */
const signed = (apiKey: keyof typeof secrets = 'devkey', claims: object = {}) =>
  new SignJWT({
    iss: apiKey,
    sub: 'agent',
    nbf: now,
    exp: now + 600,
    inference: { perform: true },
    ...claims,
  })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secrets[apiKey]));

const request = {
  provider: 'troupe',
  livekit_url: firstUrl,
  room_name: 'their-room',
  room_sid: 'RM_x7dPqoGCrcJn',
  avatar_identity: 'troupe-inference-avatar',
  avatar_name: 'troupe-inference-avatar',
  agent_identity: 'agent-AJ_1',
  avatar_id: SECOND_AVATAR.alias,
};

let keys = 0;

async function post(path: string, payload: object, headers: Record<string, string> = {}) {
  return service.app.server.inject({
    method: 'POST',
    url: `/compat/inference/avatar/sessions${path}`,
    payload,
    headers: { authorization: `Bearer ${await signed()}`, ...headers },
  });
}
const start = (fields: object = {}, headers: Record<string, string> = {}) =>
  post(
    '',
    { ...request, ...fields },
    {
      'idempotency-key': `start-${(keys += 1)}`,
      'x-livekit-inference-provider': 'troupe',
      ...headers,
    },
  );
const terminate = (fields: object) => post('/terminate', { provider: 'troupe', ...fields });

const find = async (id: string) =>
  (await service.call('GET', `/v1/sessions/${id}`)).json<Record<string, unknown>>();

describe('an inference avatar', () => {
  test('gets a session in the form that both frameworks read', async () => {
    const reply = await start();

    expect(reply.statusCode, reply.body).toBe(201);
    const { session_id: id } = reply.json<Record<string, string>>();
    expect(reply.json()).toEqual({
      session_id: id,
      provider_session_id: id,
      terminate_token: expect.any(String),
      avatar_identity: 'troupe-inference-avatar',
      sample_rate: 24_000,
    });
    expect(await find(id!)).toMatchObject({ avatar_id: THEO, status: { type: 'to_start' } });
  });

  test('joins the room with a token made here', async () => {
    const reply = await start({
      livekit_url: 'http://localhost:7880/',
      avatar_name: SECOND_AVATAR.name,
    });

    const id: string = reply.json().session_id;
    const [worker] = service.workers;
    await until(() => worker!.performing.has(id));
    const { room } = worker!.performing.get(id)!;
    // The address for workers, not the one for agents.
    expect(room.url).toBe(firstUrl);
    expect(decodeJwt(room.token)).toMatchObject({
      iss: 'devkey',
      sub: 'troupe-inference-avatar',
      name: SECOND_AVATAR.name,
      kind: 'agent',
      video: { roomJoin: true, room: 'their-room' },
      attributes: { 'lk.publish_on_behalf': 'agent-AJ_1' },
    });
  });

  test('joins another configured media server', async () => {
    const authorization = `Bearer ${await signed('otherkey')}`;

    const reply = await start({ livekit_url: `${otherUrl}/` }, { authorization });

    expect(reply.statusCode, reply.body).toBe(201);
    expect(await find(reply.json().session_id)).toMatchObject({ url: otherUrl });
  });

  test.each([
    {
      model: `troupe/${SECOND_AVATAR.alias}`,
      body: { provider: 'troupe', avatar_id: SECOND_AVATAR.alias },
      is: THEO,
    },
    {
      model: SECOND_AVATAR.alias,
      body: { provider: SECOND_AVATAR.alias, avatar_id: undefined },
      is: THEO,
    },
    { model: 'lemonslice/agent_1', body: { avatar_id: 'agent_1' }, is: `${NORA}; default` },
    { model: 'lemonslice', body: { avatar_id: undefined }, is: `${NORA}; default` },
  ])('is found by the model $model', async ({ body, is }) => {
    const reply = await start(body);

    expect(reply.headers['x-troupe-avatar']).toBe(is);
  });

  test('reports unused options', async () => {
    const reply = await start({
      image_url: 'https://pictures.example/me.png',
      prompt: 'Smile a lot.',
      idle_prompt: 'Look around.',
      idle_timeout_s: 60,
      extra_kwargs: { response_done_timeout: 2 },
    });

    expect(reply.statusCode).toBe(201);
    expect(reply.headers['x-troupe-unused']).toBe(
      'image_url, prompt, idle_prompt, idle_timeout_s, extra_kwargs',
    );
  });

  test('is created once, however often the start is retried', async () => {
    const headers = { 'idempotency-key': '0f1e2d3c4b5a69788796a5b4c3d2e1f0' };

    const firstReply = await start({}, headers);
    const repeatReply = await start({}, headers);

    expect(repeatReply.statusCode).toBe(201);
    expect(repeatReply.json()).toEqual(firstReply.json());
  });
});

describe('ending an inference avatar', () => {
  test('uses the values of the start’s answer', async () => {
    const { provider_session_id, terminate_token } = (await start()).json();

    const ended = await terminate({ provider_session_id, terminate_token });

    expect(ended.statusCode, ended.body).toBe(200);
    expect(await find(provider_session_id)).toMatchObject({
      status: { type: 'completed' },
      end_reason: 'ended_by_client',
    });
  });

  test('may be repeated after the session ended', async () => {
    const { provider_session_id, terminate_token } = (await start()).json();
    await terminate({ provider_session_id, terminate_token });

    const repeatReply = await terminate({ provider_session_id, terminate_token });

    expect(repeatReply.statusCode).toBe(200);
    const { data } = (
      await service.call('GET', `/v1/audit-log?target_id=${provider_session_id}`)
    ).json();
    expect(data).toMatchObject([
      { actor: { type: 'key', name: expect.stringContaining('media server') } },
    ]);
  });

  test('is refused without the session’s terminate token', async () => {
    const session = (await start()).json();
    const { terminate_token } = (await start({ room_name: 'another-room' })).json();
    const { provider_session_id } = session;

    const refused = [
      await terminate({ provider_session_id, terminate_token }),
      await terminate({ provider_session_id, terminate_token: 'none' }),
      await terminate({ provider_session_id, terminate_token: await signed() }),
      await terminate({ provider_session_id }),
      await terminate({ terminate_token }),
    ];

    expect(refused.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 422, 422]);
    expect(await find(provider_session_id)).toMatchObject({ status: { type: 'to_start' } });
  });
});

describe('a refused inference start', () => {
  test.each([
    { wrong: 'no key', authorization: async () => '' },
    { wrong: 'a Troupe API key', authorization: async () => `Bearer ${API_KEY}` },
    {
      wrong: 'an unknown key',
      authorization: async () => `Bearer ${await signed('devkey', { iss: 'nobody' })}`,
    },
    {
      wrong: 'an expired token',
      authorization: async () => `Bearer ${await signed('devkey', { exp: now - 60 })}`,
    },
    {
      wrong: 'a token for a room only',
      authorization: async () => {
        const video = { roomJoin: true, room: 'their-room' };
        return `Bearer ${await signed('devkey', { inference: undefined, video })}`;
      },
    },
  ])('has $wrong', async ({ authorization }) => {
    const reply = await start({}, { authorization: await authorization() });

    expect(reply.statusCode).toBe(401);
    expect(reply.json()).toMatchObject({ detail: expect.any(String) });
  });

  test.each([
    { wrong: 'a media server of another key', body: { livekit_url: otherUrl } },
    { wrong: 'an unknown media server', body: { livekit_url: 'wss://elsewhere.example' } },
    { wrong: 'a malformed address', body: { livekit_url: 'media' } },
    { wrong: 'no address', body: { livekit_url: undefined } },
    { wrong: 'no room', body: { room_name: undefined } },
    { wrong: 'an empty room', body: { room_name: '' } },
    { wrong: 'a number as room', body: { room_name: 5 } },
    { wrong: 'no identity', body: { avatar_identity: null } },
    { wrong: 'an identity that is too long', body: { avatar_identity: 'x'.repeat(300) } },
    { wrong: 'no agent', body: { agent_identity: undefined } },
  ])('has $wrong', async ({ body }) => {
    const bodyBefore = (await service.call('GET', '/v1/sessions')).json().data.length;

    const reply = await start(body);

    expect(reply.statusCode).toBe(422);
    const [name] = Object.keys(body);
    expect(reply.json().detail).toEqual([expect.objectContaining({ loc: ['body', name] })]);
    expect((await service.call('GET', '/v1/sessions')).json().data.length).toBe(bodyBefore);
  });
});
