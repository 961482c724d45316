import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

let service: BuiltApp;
beforeAll(async () => {
  service = await buildApp({ slots: 0 });
});
afterAll(() => service.close());

const origin = 'https://somebody.example';

describe('calls from other origins', () => {
  test.each([
    '/v1/sessions',
    '/v1/session',
    `/v1/avatars/${FIRST_AVATAR.alias}`,
    '/v1/nothing-yet',
  ])('pass the preflight: %s', async (url) => {
    const reply = await service.app.server.inject({
      method: 'OPTIONS',
      url,
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-api-key',
      },
    });

    expect(reply.statusCode).toBe(204);
    expect(reply.body).toBe('');
    expect(reply.headers['access-control-allow-origin']).toBe('*');
    expect(reply.headers).not.toHaveProperty('access-control-allow-credentials');
    expect(reply.headers['access-control-allow-methods']).toContain('POST');
    expect(words(reply.headers['access-control-allow-headers'])).toEqual([
      'x-api-key',
      'authorization',
      'content-type',
      'idempotency-key',
      'last-event-id',
    ]);
  });

  test.each([
    { what: 'an answer', path: '/v1/sessions', status: 200 },
    { what: 'no key', path: '/v1/sessions', headers: { 'x-api-key': '' }, status: 401 },
    { what: 'not found', path: '/v1/avatars/nobody', status: 404 },
    { what: 'an unknown path', path: '/v1/nothing', status: 404 },
    { what: 'an id that is too long', path: `/v1/avatars/${'x'.repeat(999)}`, status: 404 },
    { what: 'a malformed path', path: '/v1/avatars/%E0%A4%A', status: 400 },
    { what: 'a bad query', path: '/v1/sessions?limit=0', status: 422 },
    { what: 'bad JSON', method: 'POST', path: '/v1/sessions', payload: '{', status: 422 },
  ] as const)('may read $what', async ({ path, status, ...more }) => {
    const {
      method = 'GET',
      headers,
      payload,
    } = { method: undefined, headers: {}, payload: undefined, ...more };

    const reply = await service.call(method, path, {
      headers: { origin, 'content-type': 'application/json', ...headers },
      ...(payload && { payload }),
    });

    expect(reply.statusCode).toBe(status);
    expect(reply.headers['access-control-allow-origin']).toBe('*');
  });

  test('may read the documented headers', async () => {
    const reply = await service.call('GET', '/v1/avatar', { headers: { origin } });

    expect(words(reply.headers['access-control-expose-headers'])).toEqual(
      expect.arrayContaining(['deprecation', 'link', 'retry-after']),
    );
  });

  test.each([
    '/healthz',
    '/metrics',
    '/page-token',
    '/openapi.json',
    `/avatars/${FIRST_AVATAR.alias}/picture`,
    '/',
  ])('are limited to the API: %s', async (path) => {
    const reply = await service.call('GET', path, { headers: { origin } });

    expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
  });
});

const words = (header: unknown): string[] => String(header).split(', ');
