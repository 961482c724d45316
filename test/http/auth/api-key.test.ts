import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_KEY, buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

let service: BuiltApp;
beforeAll(async () => {
  service = await buildApp();
});
afterAll(() => service.close());

describe('API key', () => {
  test('is verified without a body', async () => {
    const reply = await service.call('GET', '/v1/auth/verify');

    expect(reply.statusCode).toBe(204);
    expect(reply.body).toBe('');
  });

  test('is required', async () => {
    const reply = await service.app.server.inject({ url: '/v1/auth/verify' });

    expect(reply.statusCode).toBe(401);
    expect(reply.json()).toMatchObject({ detail: 'API key is required.' });
  });

  test('is refused when unknown', async () => {
    const headers = { 'x-api-key': `${API_KEY}x` };

    const reply = await service.call('GET', '/v1/auth/verify', { headers });

    expect(reply.statusCode).toBe(401);
    expect(reply.json()).toMatchObject({ detail: 'Invalid API key.' });
  });

  test.each([`Bearer ${API_KEY}`, `bearer  ${API_KEY}`])(
    'is accepted as %j',
    async (authorization) => {
      const headers = { 'x-api-key': '', authorization };

      const reply = await service.call('GET', '/v1/auth/verify', { headers });

      expect(reply.statusCode).toBe(204);
    },
  );

  test.each(['Bearer nobody', `Basic ${API_KEY}`, API_KEY, 'Bearer ', `Bearer ${API_KEY} x`])(
    'is refused as %j',
    async (authorization) => {
      const headers = { 'x-api-key': '', authorization };

      const reply = await service.call('GET', '/v1/auth/verify', { headers });

      expect(reply.statusCode).toBe(401);
    },
  );

  test.each([
    ['GET', '/v1/sessions'],
    ['POST', '/v1/sessions'],
    ['GET', '/v1/sessions/1'],
    ['POST', '/v1/sessions/1/end'],
    ['GET', '/v1/avatars'],
    ['GET', `/v1/avatars/${FIRST_AVATAR.alias}`],
    ['GET', '/v1/auth/verify'],
    ['POST', '/v1/session'],
    ['GET', '/v1/session'],
    ['GET', '/v1/session/1'],
    ['GET', '/v1/avatar'],
    ['GET', `/v1/avatar/${FIRST_AVATAR.alias}`],
  ] as const)('is required by %s %s', async (method, path) => {
    const reply = await service.call(method, path, { headers: { 'x-api-key': '' } });

    expect(reply.statusCode).toBe(401);
  });

  test.each(['/healthz', '/openapi.json', '/docs/api/console', '/'])(
    'is not required by %s',
    async (path) => {
      const reply = await service.app.server.inject({ url: path });

      expect(reply.statusCode).not.toBe(401);
    },
  );
});

describe('page token', () => {
  let headers: Record<string, string>;
  beforeAll(async () => {
    const reply = await service.app.server.inject({
      method: 'POST',
      url: '/page-token',
      payload: { code: service.app.pageCode },
    });
    headers = { 'x-api-key': '', 'x-page-token': reply.json().token };
  });

  test('acts as the first account for sessions and avatars', async () => {
    const opened = await service.call('POST', '/v1/sessions', {
      headers,
      payload: { avatar_id: NORA },
    });
    const avatars = await service.call('GET', '/v1/avatars', { headers });

    expect([opened.statusCode, avatars.statusCode]).toEqual([201, 200]);
    const byKey = await service.call('GET', `/v1/sessions/${opened.json().id}`);
    expect(byKey.statusCode).toBe(200);
  });

  test('is refused on other routes', async () => {
    const reply = await service.call('GET', '/v1/auth/verify', { headers });
    const deleted = await service.call('DELETE', '/v1/sessions/x', { headers });

    expect([reply.statusCode, deleted.statusCode]).toEqual([401, 401]);
  });

  test('expires', async () => {
    service.clock.leap(600_000);

    const reply = await service.call('GET', '/v1/avatars', { headers });

    expect(reply.statusCode).toBe(401);
  });
});
