import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';

describe('the admin password', () => {
  let service: BuiltApp;
  beforeAll(async () => {
    service = await buildApp({ slots: 0, env: { TROUPE_ADMIN_PASSWORD } });
  });
  afterAll(() => service.close());

  const ask = (authorization: string | undefined, remoteAddress = '203.0.113.1') =>
    service.app.server.inject({
      url: '/admin/accounts',
      remoteAddress,
      ...(authorization !== undefined && { headers: { authorization } }),
    });

  test.each([
    { given: undefined, detail: 'The admin password is required.' },
    {
      given: `Basic ${btoa(`admin:${TROUPE_ADMIN_PASSWORD}`)}`,
      detail: 'The admin password is required.',
    },
    { given: 'Bearer ', detail: 'The admin password is required.' },
    { given: 'Bearer wrong', detail: 'Invalid admin password.' },
    { given: `Bearer ${TROUPE_ADMIN_PASSWORD}x`, detail: 'Invalid admin password.' },
  ])('is required: $given is refused', async ({ given, detail }) => {
    const reply = await ask(given, '203.0.113.2');

    expect(reply.statusCode).toBe(401);
    expect(reply.json()).toMatchObject({ detail });
    expect(reply.headers['cache-control']).toBe('no-store');
  });

  test('is not limited when correct', async () => {
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => ask(`Bearer ${TROUPE_ADMIN_PASSWORD}`, '203.0.113.4')),
    );

    expect(replies.every((reply) => reply.statusCode === 200)).toBe(true);
  });

  test('issues page tokens to remote pages only if correct', async () => {
    const askForToken = (password: string) =>
      service.app.server.inject({
        method: 'POST',
        url: '/page-token',
        remoteAddress: '203.0.113.5',
        headers: { host: 'troupe.example', authorization: `Bearer ${password}` },
      });

    const accepted = await askForToken(TROUPE_ADMIN_PASSWORD);
    const refused = await askForToken('wrong');

    expect(accepted.statusCode).toBe(201);
    expect(accepted.json()).not.toHaveProperty('refresh_token');
    expect(refused.statusCode).toBe(401);
    const headers = { 'x-api-key': '', 'x-page-token': accepted.json().token };
    expect((await service.call('GET', '/v1/avatars', { headers })).statusCode).toBe(200);
  });

  test('is documented as a security scheme', async () => {
    const document = (await service.app.server.inject({ url: '/openapi.json' })).json();

    expect(document.paths['/admin/accounts/{id}'].patch).toMatchObject({
      tags: ['Admin'],
      security: [{ adminPassword: [] }],
      responses: { 401: {}, 404: {}, 413: {}, 415: {}, 422: {}, 429: {} },
    });
    expect(document.components.securitySchemes.adminPassword).toEqual({
      type: 'http',
      scheme: 'bearer',
    });
  });

  test('is not accepted from other origins', async () => {
    const reply = await service.app.server.inject({
      method: 'OPTIONS',
      url: '/admin/accounts',
      headers: { origin: 'https://somebody.example', 'access-control-request-method': 'POST' },
    });

    expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('without an admin password', () => {
  test('there is no admin API and no page token for a password', async () => {
    const closed = await buildApp({ slots: 0 });
    const headers = { authorization: 'Bearer ' };

    const admin = await closed.app.server.inject({ url: '/admin/accounts', headers });
    const page = await closed.app.server.inject({
      method: 'POST',
      url: '/page-token',
      headers: { authorization: 'Bearer undefined' },
    });
    const document = (await closed.app.server.inject({ url: '/openapi.json' })).json();

    expect(admin.statusCode).toBe(404);
    expect(page.statusCode).toBe(403);
    expect(JSON.stringify(document)).not.toMatch(/\/admin|adminPassword/);
    await closed.close();
  });
});
