import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TROUPE_ADMIN_PASSWORD, adminCall, makeAccount } from '../../support/api/admin.ts';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { until } from '../../support/until.ts';

let service: BuiltApp;
let call: ReturnType<typeof adminCall>;
beforeAll(async () => {
  service = await buildApp({ env: { TROUPE_ADMIN_PASSWORD } });
  call = adminCall(service);
});
afterAll(() => service.close());

const nobody = '00000000-0000-4000-8000-0000000000ff';

describe('accounts', () => {
  test('are created with a plan, retrieved and updated', async () => {
    const creationReply = await call('POST', '/accounts', {
      payload: { name: 'Ada', plan: 'growth' },
    });
    const { id } = creationReply.json();
    const changed = await call('PATCH', `/accounts/${id}`, { payload: { plan: 'scale' } });
    const retrievedReply = await call('GET', `/accounts/${id}`);

    expect(creationReply.statusCode).toBe(201);
    expect(creationReply.json()).toEqual({
      id: expect.any(String),
      name: 'Ada',
      plan: 'growth',
      picture_consent: null,
      pool: null,
      retention_days: null,
      call_stills: false,
      created_at: '2026-01-01T12:00:00.000000+00:00',
    });
    expect(changed.json()).toEqual({ ...creationReply.json(), plan: 'scale' });
    expect(retrievedReply.json()).toEqual(changed.json());
  });

  test('show their usage beside the limits of their plan', async () => {
    const payload = { name: 'Ada', plan: 'creator' };
    const { id } = (await call('POST', '/accounts', { payload })).json();
    const { key } = (await call('POST', `/accounts/${id}/keys`, { payload: { name: 'k' } })).json();
    const headers = { 'x-api-key': key };
    await service.call('POST', '/v1/sessions', { headers, payload: { avatar_id: NORA } });

    const usage = await call('GET', `/accounts/${id}/usage`);
    const ownReply = await service.call('GET', '/v1/usage', { headers });

    expect(usage.json()).toMatchObject({
      plan: 'creator',
      minutes_used: 0,
      minutes_limit: 300,
      sessions_live: 1,
      sessions_limit: 3,
    });
    expect(usage.json()).toEqual(ownReply.json());
    expect((await call('GET', `/accounts/${nobody}/usage`)).statusCode).toBe(404);
  });

  test('use a worker pool until it is reset', async () => {
    const { id, ...otherFields } = (
      await call('POST', '/accounts', { payload: { name: 'Ada' } })
    ).json();

    const withPool = await call('PATCH', `/accounts/${id}`, { payload: { pool: 'gpu' } });
    const withName = await call('PATCH', `/accounts/${id}`, { payload: { name: 'Ada' } });
    const withoutPool = await call('PATCH', `/accounts/${id}`, { payload: { pool: null } });

    expect([withPool.json().pool, withName.json().pool]).toEqual(['gpu', 'gpu']);
    expect(withoutPool.json()).toEqual({ id, ...otherFields, pool: null });
  });

  test('keep their data for fewer days than the installation, until reset', async () => {
    const { id } = (await call('POST', '/accounts', { payload: { name: 'Ada' } })).json();
    const change = (retention_days: unknown) =>
      call('PATCH', `/accounts/${id}`, { payload: { retention_days } });

    const accepted = await change({ transcripts: 7 });
    const refused = await change({ transcripts: 0 });
    const unknown = await change({ photos: 7 });
    const reset = await change(null);

    expect(accepted.json().retention_days).toEqual({ transcripts: 7 });
    expect([refused.statusCode, unknown.statusCode]).toEqual([422, 422]);
    expect(reset.json().retention_days).toBeNull();
  });

  test('default to the free plan and keep omitted fields on update', async () => {
    const { id, ...otherFields } = (
      await call('POST', '/accounts', { payload: { name: 'Ada' } })
    ).json();

    const changed = await call('PATCH', `/accounts/${id}`, { payload: {} });

    expect(otherFields.plan).toBe('free');
    expect(changed.json()).toEqual({ id, ...otherFields });
  });

  test('are listed in pages, oldest last', async () => {
    service.clock.advance(1);
    await call('POST', '/accounts', { payload: { name: 'newest' } });

    const firstBody = (await call('GET', '/accounts?limit=1')).json();
    const remainingBody = (
      await call('GET', `/accounts?limit=50&cursor=${firstBody.next_cursor}`)
    ).json();

    expect(firstBody).toMatchObject({ data: [{ name: 'newest' }], has_more: true });
    expect(remainingBody.data.at(-1)).toMatchObject({ name: 'first', plan: 'unlimited' });
    expect(remainingBody.has_more).toBe(false);
  });

  test.each([
    { what: 'no name', payload: { plan: 'free' }, loc: ['body', 'name'] },
    { what: 'an empty name', payload: { name: '' }, loc: ['body', 'name'] },
    { what: 'a NUL in the name', payload: { name: 'a\0b' }, loc: ['body', 'name'] },
    { what: 'an unknown plan', payload: { name: 'x', plan: 'gold' }, loc: ['body', 'plan'] },
  ])('are not created with $what', async ({ payload, loc }) => {
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
    ['PATCH', `/accounts/${nobody}/keys/${nobody}`],
    ['DELETE', `/accounts/${nobody}/keys/${nobody}`],
  ] as const)('are 404 if unknown: %s %s', async (method, path) => {
    const payload = method === 'POST' || method === 'PATCH' ? { payload: { name: 'x' } } : {};

    const reply = await call(method, path, payload);

    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toMatchObject({ detail: 'The requested resource was not found.' });
  });
});

describe('API keys of an account', () => {
  test('are shown once and authenticate the account', async () => {
    const account = await makeAccount(service, 'free');

    const opened = await service.call('GET', '/v1/sessions', { headers: account.headers });
    // The use of a key is written in the background.
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
          scopes: null,
          expires_at: null,
          allowed_networks: null,
          created_at: expect.any(String),
          last_used_at: expect.any(String),
          last_used_address: '127.0.0.1',
          revoked_at: null,
        },
      ],
      has_more: false,
    });
    expect(listed.body).not.toContain(account.headers['x-api-key']);
  });

  test('are refused once revoked, without affecting other keys', async () => {
    const account = await makeAccount(service, 'free');
    const path = `/accounts/${account.id}/keys`;
    const otherBody = (await call('POST', path, { payload: { name: 'other' } })).json();

    const revoked = await call('DELETE', `${path}/${account.keyId}`);
    const repeatedReply = await call('DELETE', `${path}/${account.keyId}`);
    const refused = await service.call('GET', '/v1/sessions', { headers: account.headers });
    const opened = await service.call('GET', '/v1/sessions', {
      headers: { 'x-api-key': otherBody.key },
    });

    expect([revoked.statusCode, repeatedReply.statusCode]).toEqual([204, 204]);
    expect(refused.statusCode).toBe(401);
    expect(refused.json()).toMatchObject({ detail: 'Invalid API key.' });
    expect(opened.statusCode).toBe(200);
  });

  test('are revoked only by their own account', async () => {
    const [firstAccount, secondAccount] = [
      await makeAccount(service, 'free'),
      await makeAccount(service, 'free'),
    ];

    const reply = await call('DELETE', `/accounts/${secondAccount.id}/keys/${firstAccount.keyId}`);

    expect(reply.statusCode).toBe(404);
  });
});

describe("an operator's key", () => {
  const afar = { remoteAddress: '203.0.113.7' };

  test('reads metrics from any address, in both headers', async () => {
    const { headers } = await makeAccount(service, 'free', 'operator');
    const bearer = { authorization: `Bearer ${headers['x-api-key']}` };

    const replies = await Promise.all(
      [headers, bearer].map((keyHeaders) =>
        service.app.server.inject({ url: '/metrics', headers: keyHeaders, ...afar }),
      ),
    );

    expect(replies.map((reply) => reply.statusCode)).toEqual([200, 200]);
    expect(replies[0]?.body).toContain('troupe_slots');
  });

  test('can be verified, but is refused by the API', async () => {
    const { headers } = await makeAccount(service, 'free', 'operator');

    const verified = await service.call('GET', '/v1/auth/verify', { headers });
    const refused = await service.call('POST', '/v1/sessions', {
      headers,
      payload: { avatar_id: NORA },
    });

    expect(verified.statusCode).toBe(204);
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({
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
  ])('is required for the metrics: $what is refused', async ({ status, make }) => {
    const reply = await service.app.server.inject({
      url: '/metrics',
      headers: await make(),
      ...afar,
    });

    expect(reply.statusCode).toBe(status);
    expect(reply.body).not.toContain('troupe_slots');
  });
});
