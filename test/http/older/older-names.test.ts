import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  API_KEY,
  buildApp,
  BUILT_IN,
  NORA,
  roomToken,
  type BuiltApp,
} from '../../support/api/build-app.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

let service: BuiltApp;
beforeAll(async () => {
  service = await buildApp({ env: { PUBLIC_URL: 'https://troupe.example/' } });
});
afterAll(() => service.close());

const livekit_url = 'wss://media.their.example';

describe('deprecated paths', () => {
  test('open a session in the older form', async () => {
    const livekit_token = await roomToken();
    const body = { avatar_id: NORA, livekit_url, livekit_token };

    const opened = await service.call('POST', '/v1/session', { payload: body });
    const retrievedBody = await service.call('GET', `/v1/session/${opened.json().id}`);

    expect(opened.statusCode).toBe(201);
    expect(opened.json()).toEqual({
      id: expect.any(String),
      avatar_id: NORA,
      created_at: '2026-01-01T12:00:00.000000+00:00',
      status: { type: 'to_start' },
      livekit_url,
      livekit_token,
    });
    expect(retrievedBody.json()).toEqual(opened.json());
  });

  test('also accept the new field names', async () => {
    const payload = { avatar_id: NORA, url: livekit_url, token: await roomToken() };

    const opened = await service.call('POST', '/v1/session', { payload });

    expect(opened.statusCode).toBe(201);
  });

  test('share their sessions with the new paths', async () => {
    const livekit_token = await roomToken();
    const older = { avatar_id: NORA, livekit_url, livekit_token };
    const newer = { avatar_id: NORA, url: livekit_url, token: livekit_token };

    const opened = await service.call('POST', '/v1/session', { payload: older });
    const repeat = await service.call('POST', '/v1/sessions', { payload: newer });

    expect(repeat.json().id).toBe(opened.json().id);
  });

  test('list plain arrays', async () => {
    const bodyBefore = (await service.call('GET', '/v1/session')).json().length;
    for (let index = 0; index < 12; index += 1) {
      await service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });
    }

    const sessions = (await service.call('GET', '/v1/session')).json();
    const avatars = (await service.call('GET', '/v1/avatar')).json();

    expect(sessions).toHaveLength(bodyBefore + 12);
    expect(avatars.map((avatar: { id: string }) => avatar.id)).toEqual(BUILT_IN);
    expect(avatars[0]).toMatchObject({ id: NORA, name: FIRST_AVATAR.name });
  });

  test('retrieve an avatar', async () => {
    const retrievedReply = await service.call('GET', `/v1/avatar/${FIRST_AVATAR.alias}`);

    expect(retrievedReply.json()).toMatchObject({ id: NORA, name: FIRST_AVATAR.name });
  });

  test.each([
    { what: 'a list', path: '/v1/avatar', to: 'avatars' },
    { what: 'a resource', path: `/v1/avatar/${FIRST_AVATAR.alias}`, to: 'avatars' },
    { what: 'a list with a query', path: '/v1/session?limit=3', to: 'sessions' },
    { what: 'an unknown avatar', path: '/v1/avatar/nobody', to: 'avatars' },
    { what: 'no key', path: '/v1/session', headers: { 'x-api-key': '' }, to: 'sessions' },
    { what: 'bad JSON', path: '/v1/session', payload: '{', to: 'sessions' },
    { what: 'a bad body', path: '/v1/session', payload: '{}', to: 'sessions' },
    { what: 'an unknown path below', path: '/v1/session/1/2/3', to: 'sessions' },
    { what: 'a malformed path', path: '/v1/avatar/%E0%A4%A', to: 'avatars' },
    { what: 'an id that is too long', path: `/v1/session/${'1'.repeat(500)}`, to: 'sessions' },
  ])('link to their successor: $what', async ({ path, to, headers, payload }) => {
    const reply = await service.app.server.inject({
      method: payload ? 'POST' : 'GET',
      url: path,
      headers: { 'x-api-key': API_KEY, 'content-type': 'application/json', ...headers },
      ...(payload && { payload }),
    });

    expect(reply.headers.deprecation).toMatch(/^@\d{10}$/);
    expect(reply.headers.link).toBe(`<https://troupe.example/v1/${to}>; rel="successor-version"`);
  });

  test.each([
    '/v1/sessions',
    `/v1/avatars/${FIRST_AVATAR.alias}`,
    '/v1/sessionless',
    '/v1/auth/verify',
    '/healthz',
  ])('do not affect %s', async (path) => {
    const reply = await service.call('GET', path);

    expect(reply.headers).not.toHaveProperty('deprecation');
    expect(reply.headers).not.toHaveProperty('link');
  });

  test('link to the address of the request when PUBLIC_URL is unset', async () => {
    const plain = await buildApp();

    const reply = await fetch(`${plain.url}/v1/avatar`, { headers: { 'x-api-key': API_KEY } });

    expect(reply.headers.get('link')).toBe(`<${plain.url}/v1/avatars>; rel="successor-version"`);
    await plain.close();
  });
});
