import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TROUPE_ADMIN_PASSWORD, adminCall, makeAccount } from '../support/admin.ts';
import { buildApp, NORA, type BuiltApp } from '../support/build-app.ts';
import { until } from '../support/until.ts';

let service: BuiltApp;
let call: ReturnType<typeof adminCall>;
beforeAll(async () => {
  service = await buildApp({ env: { TROUPE_ADMIN_PASSWORD } });
  call = adminCall(service);
});
afterAll(() => service.close());

const nobody = '00000000-0000-4000-8000-0000000000ff';

describe('accounts', () => {
  test('are made with a plan, found and changed', async () => {
    const made = await call('POST', '/accounts', { payload: { name: 'Ada', plan: 'growth' } });
    const { id } = made.json();
    const changed = await call('PATCH', `/accounts/${id}`, { payload: { plan: 'scale' } });
    const found = await call('GET', `/accounts/${id}`);

    expect(made.statusCode).toBe(201);
    expect(made.json()).toEqual({
      id: expect.any(String),
      name: 'Ada',
      plan: 'growth',
      created_at: '2026-01-01T12:00:00.000000+00:00',
    });
    expect(changed.json()).toEqual({ ...made.json(), plan: 'scale' });
    expect(found.json()).toEqual(changed.json());
  });

  test('are free when no plan is said, and keep what a change leaves out', async () => {
    const { id, ...made } = (await call('POST', '/accounts', { payload: { name: 'Ada' } })).json();

    const changed = await call('PATCH', `/accounts/${id}`, { payload: {} });

    expect(made.plan).toBe('free');
    expect(changed.json()).toEqual({ id, ...made });
  });

  test('are listed in pages, the first one of the service last', async () => {
    service.clock.advance(1);
    await call('POST', '/accounts', { payload: { name: 'newest' } });

    const first = (await call('GET', '/accounts?limit=1')).json();
    const rest = (await call('GET', `/accounts?limit=50&cursor=${first.next_cursor}`)).json();

    expect(first).toMatchObject({ data: [{ name: 'newest' }], has_more: true });
    expect(rest.data.at(-1)).toMatchObject({ name: 'first', plan: 'unlimited' });
    expect(rest.has_more).toBe(false);
  });

  test.each([
    { what: 'no name', payload: { plan: 'free' }, loc: ['body', 'name'] },
    { what: 'an empty name', payload: { name: '' }, loc: ['body', 'name'] },
    { what: 'a name that no text can be', payload: { name: 'a\0b' }, loc: ['body', 'name'] },
    { what: 'a plan of nobody', payload: { name: 'x', plan: 'gold' }, loc: ['body', 'plan'] },
  ])('are not made with $what', async ({ payload, loc }) => {
    const reply = await call('POST', '/accounts', { payload });

    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail[0].loc).toEqual(loc);
  });

  test.each([
    ['GET', `/accounts/${nobody}`],
    ['PATCH', `/accounts/${nobody}`],
    ['GET', '/accounts/%00'],
    ['GET', `/accounts/${nobody}/keys`],
    ['POST', `/accounts/${nobody}/keys`],
    ['DELETE', `/accounts/${nobody}/keys/${nobody}`],
  ] as const)('that are not there are 404: %s %s', async (method, path) => {
    const payload = method === 'POST' || method === 'PATCH' ? { payload: { name: 'x' } } : {};

    const reply = await call(method, path, payload);

    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toEqual({ detail: 'The requested resource was not found.' });
  });
});

describe('keys of an account', () => {
  test('are shown once, and open the account', async () => {
    const account = await makeAccount(service, 'free');

    const opened = await service.call('GET', '/v1/sessions', { headers: account.headers });
    // No request waits until the use of its key is written.
    const path = `/accounts/${account.id}/keys`;
    await until(async () => (await call('GET', path)).json().data[0].last_used_at !== null);
    const listed = await call('GET', path);

    expect(opened.statusCode).toBe(200);
    expect(listed.json()).toEqual({
      data: [
        {
          id: account.keyId,
          name: 'a key',
          scope: 'all',
          created_at: expect.any(String),
          last_used_at: expect.any(String),
          revoked_at: null,
        },
      ],
      has_more: false,
    });
    expect(listed.body).not.toContain(account.headers['x-api-key']);
  });

  test('open nothing once they are revoked, and no other key goes with them', async () => {
    const account = await makeAccount(service, 'free');
    const path = `/accounts/${account.id}/keys`;
    const other = (await call('POST', path, { payload: { name: 'other' } })).json();

    const revoked = await call('DELETE', `${path}/${account.keyId}`);
    const again = await call('DELETE', `${path}/${account.keyId}`);
    const refused = await service.call('GET', '/v1/sessions', { headers: account.headers });
    const opened = await service.call('GET', '/v1/sessions', {
      headers: { 'x-api-key': other.key },
    });

    expect([revoked.statusCode, again.statusCode]).toEqual([204, 204]);
    expect(refused.statusCode).toBe(401);
    expect(refused.json()).toEqual({ detail: 'Invalid API key.' });
    expect(opened.statusCode).toBe(200);
  });

  test('are revoked for their own account only', async () => {
    const [one, other] = [await makeAccount(service, 'free'), await makeAccount(service, 'free')];

    const reply = await call('DELETE', `/accounts/${other.id}/keys/${one.keyId}`);

    expect(reply.statusCode).toBe(404);
  });
});

describe("an operator's key", () => {
  const afar = { remoteAddress: '203.0.113.7' };

  test('reads the metrics from anywhere, in both headers', async () => {
    const { headers } = await makeAccount(service, 'free', 'operator');
    const bearer = { authorization: `Bearer ${headers['x-api-key']}` };

    const replies = await Promise.all(
      [headers, bearer].map((given) =>
        service.app.server.inject({ url: '/metrics', headers: given, ...afar }),
      ),
    );

    expect(replies.map((reply) => reply.statusCode)).toEqual([200, 200]);
    expect(replies[0]?.body).toContain('troupe_fleet');
  });

  test('is verified, and opens nothing of the API', async () => {
    const { headers } = await makeAccount(service, 'free', 'operator');

    const verified = await service.call('GET', '/v1/auth/verify', { headers });
    const refused = await service.call('POST', '/v1/sessions', {
      headers,
      payload: { avatar_id: NORA },
    });

    expect(verified.statusCode).toBe(204);
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toEqual({
      detail: 'You do not have permission to access this resource.',
    });
  });

  test.each([
    { what: 'no key', status: 403, make: async () => ({}) },
    { what: 'an unknown key', status: 401, make: async () => ({ 'x-api-key': 'nobody' }) },
    {
      what: 'a key of an account',
      status: 403,
      make: async () => (await makeAccount(service, 'scale')).headers,
    },
  ])('is wanted for the metrics, not $what', async ({ status, make }) => {
    const reply = await service.app.server.inject({
      url: '/metrics',
      headers: await make(),
      ...afar,
    });

    expect(reply.statusCode).toBe(status);
    expect(reply.body).not.toContain('troupe_fleet');
  });
});

describe('the admin password', () => {
  let guarded: BuiltApp;
  beforeAll(async () => {
    guarded = await buildApp({ slots: 0, env: { TROUPE_ADMIN_PASSWORD } });
  });
  afterAll(() => guarded.close());

  const ask = (authorization: string | undefined, remoteAddress = '203.0.113.1') =>
    guarded.app.server.inject({
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
  ])('is wanted, not $given', async ({ given, detail }) => {
    const reply = await ask(given, '203.0.113.2');

    expect(reply.statusCode).toBe(401);
    expect(reply.json()).toEqual({ detail });
    expect(reply.headers['cache-control']).toBe('no-store');
  });

  test('is tried ten times a minute from one address, and no more with the right one', async () => {
    const wrong = await Promise.all(Array.from({ length: 40 }, () => ask('Bearer wrong')));
    const right = await ask(`Bearer ${TROUPE_ADMIN_PASSWORD}`);
    const elsewhere = await ask(`Bearer ${TROUPE_ADMIN_PASSWORD}`, '203.0.113.3');
    guarded.clock.advance(Number(right.headers['retry-after']) * 1000);
    const later = await ask(`Bearer ${TROUPE_ADMIN_PASSWORD}`);

    expect(wrong.filter((reply) => reply.statusCode === 401)).toHaveLength(10);
    expect(wrong.filter((reply) => reply.statusCode === 429)).toHaveLength(30);
    expect(right.statusCode).toBe(429);
    expect(right.json()).toEqual({ detail: 'Too many requests. Please try again shortly.' });
    expect([elsewhere.statusCode, later.statusCode]).toEqual([200, 200]);
  });

  test('may be used as often as one likes', async () => {
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => ask(`Bearer ${TROUPE_ADMIN_PASSWORD}`, '203.0.113.4')),
    );

    expect(replies.every((reply) => reply.statusCode === 200)).toBe(true);
  });

  test('gives pages their token from afar, for as long as it is right', async () => {
    const askForToken = (password: string) =>
      guarded.app.server.inject({
        method: 'POST',
        url: '/page-token',
        remoteAddress: '203.0.113.5',
        headers: { host: 'troupe.example', authorization: `Bearer ${password}` },
      });

    const given = await askForToken(TROUPE_ADMIN_PASSWORD);
    const refused = await askForToken('wrong');

    expect(given.statusCode).toBe(201);
    expect(refused.statusCode).toBe(401);
    const headers = { 'x-api-key': '', 'x-page-token': given.json().token };
    expect((await guarded.call('GET', '/v1/avatars', { headers })).statusCode).toBe(200);
  });

  test('is asked for where a page is refused without it', async () => {
    const reply = await guarded.app.server.inject({ method: 'POST', url: '/page-token' });

    expect(reply.statusCode).toBe(403);
    expect(reply.json()).toEqual({ detail: expect.any(String), instead: 'admin_password' });
  });

  test('stands in the document, as a way in of its own', async () => {
    const document = (await guarded.app.server.inject({ url: '/openapi.json' })).json();

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

  test('is for no page of another origin', async () => {
    const reply = await guarded.app.server.inject({
      method: 'OPTIONS',
      url: '/admin/accounts',
      headers: { origin: 'https://somebody.example', 'access-control-request-method': 'POST' },
    });

    expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('without an admin password', () => {
  test('there is no admin API, and no page gets a token for one', async () => {
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
    expect(JSON.stringify(document)).not.toContain('admin');
    await closed.close();
  });
});
