import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TROUPE_ADMIN_PASSWORD, adminCall, makeAccount } from '../../support/api/admin.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { until } from '../../support/until.ts';

let service: BuiltApp;
let path: string;
beforeAll(async () => {
  service = await buildApp({ slots: 0, env: { TROUPE_ADMIN_PASSWORD } });
  path = `/accounts/${(await makeAccount(service, 'free')).id}/keys`;
});
afterAll(() => service.close());

const make = (payload: object) =>
  adminCall(service)('POST', path, { payload: { name: 'a key', ...payload } });
const change = (id: string, payload: object) =>
  adminCall(service)('PATCH', `${path}/${id}`, { payload });
const verify = (key: string, remoteAddress = '127.0.0.1') =>
  service.app.server.inject({
    url: '/v1/auth/verify',
    headers: { 'x-api-key': key },
    remoteAddress,
  });

describe('an API key that expires', () => {
  test('is refused from that time on, though its lookup is cached', async () => {
    const expiresAt = new Date(service.clock.now() + 500).toISOString();
    const { key, ...createdKey } = (await make({ expires_at: expiresAt })).json();

    const replyBefore = await verify(key);
    service.clock.advance(500);
    const replyAfter = await verify(key);

    expect(createdKey.expires_at).toMatch(/^2026-01-01T12:.*\+00:00$/);
    expect(replyBefore.statusCode).toBe(204);
    expect(replyAfter.statusCode).toBe(401);
    expect(replyAfter.json()).toMatchObject({ detail: 'This API key has expired.' });
  });

  test('lives on when its expiry is removed in time', async () => {
    const expires_at = new Date(service.clock.now() + 500).toISOString();
    const { key, id } = (await make({ expires_at })).json();

    const changed = await change(id, { expires_at: null });
    service.clock.advance(1_000);

    expect(changed.json()).toMatchObject({ expires_at: null, name: 'a key' });
    expect((await verify(key)).statusCode).toBe(204);
  });

  test('cannot be made for the past', async () => {
    const reply = await make({ expires_at: new Date(service.clock.now()).toISOString() });

    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail[0]).toMatchObject({
      loc: ['body', 'expires_at'],
      msg: 'Input should be a time in the future. Revoke the key to refuse it now',
    });
  });
});

describe('an API key of some networks', () => {
  test('is refused from every other address', async () => {
    const allowed_networks = ['203.0.113.0/24', '2001:db8::/32'];
    const { key } = (await make({ allowed_networks })).json();

    const statuses = await Promise.all(
      ['203.0.113.9', '2001:db8::9', '::ffff:203.0.113.9', '203.0.114.9', '::1'].map(
        async (address) => (await verify(key, address)).statusCode,
      ),
    );

    expect(statuses).toEqual([204, 204, 204, 403, 403]);
    expect((await verify(key, '203.0.114.9')).json()).toMatchObject({
      detail: 'This API key may not be used from this address.',
    });
  });

  test("is used from the visitor's address behind a trusted proxy, whatever others claim", async () => {
    const env = { TROUPE_ADMIN_PASSWORD, TRUSTED_PROXIES: '10.0.0.0/8' };
    const proxied = await buildApp({ slots: 0, env });
    const { id } = await makeAccount(proxied, 'free');
    const payload = { name: 'a key', allowed_networks: ['203.0.113.0/24'] };
    const keyReply = await adminCall(proxied)('POST', `/accounts/${id}/keys`, { payload });
    const from = async (remoteAddress: string, forwarded: string) =>
      (
        await proxied.app.server.inject({
          url: '/v1/auth/verify',
          headers: { 'x-api-key': keyReply.json().key, 'x-forwarded-for': forwarded },
          remoteAddress,
        })
      ).statusCode;

    expect(await from('10.0.0.1', '203.0.113.9')).toBe(204);
    expect(await from('10.0.0.1', '203.0.113.9:4711')).toBe(204);
    expect(await from('10.0.0.1', '203.0.114.9')).toBe(403);
    expect(await from('198.51.100.1', '203.0.113.9')).toBe(403);
    await proxied.close();
  });

  test('follows a change at once', async () => {
    const { key, id } = (await make({})).json();
    expect((await verify(key)).statusCode).toBe(204);

    await change(id, { allowed_networks: ['203.0.113.0/24'] });

    expect((await verify(key)).statusCode).toBe(403);
  });

  test.each(['10.0.0.0/33', 'example.com', '10.0.0.0/8,::/0', '  '])(
    'cannot be made with %s',
    async (network) => {
      const reply = await make({ allowed_networks: ['::1', network] });

      expect(reply.statusCode).toBe(422);
      expect(reply.json().detail[0].loc).toEqual(['body', 'allowed_networks', 1]);
    },
  );
});

describe('an API key', () => {
  test('shows when and from where it was used', async () => {
    const { key, id } = (await make({})).json();

    await verify(key, '203.0.113.77');

    const listedKey = async () =>
      (await adminCall(service)('GET', `${path}?limit=50`))
        .json()
        .data.find((each: { id: string }) => each.id === id);
    await until(async () => (await listedKey()).last_used_at !== null);
    expect(await listedKey()).toMatchObject({ last_used_address: '203.0.113.77' });
  });

  test('is unlimited by default, and keeps omitted fields on a change', async () => {
    const { key: _key, ...createdKey } = (
      await make({ scopes: ['agents:read'], allowed_networks: ['::1'] })
    ).json();

    const changed = await change(createdKey.id, { name: 'renamed' });
    const lifted = await change(createdKey.id, { scopes: null, allowed_networks: null });

    expect((await make({})).json()).toMatchObject({
      scopes: null,
      expires_at: null,
      allowed_networks: null,
      last_used_address: null,
    });
    expect(changed.json()).toEqual({ ...createdKey, name: 'renamed' });
    expect(lifted.json()).toMatchObject({ scopes: null, allowed_networks: null });
  });

  test('of another account cannot be changed', async () => {
    const { id } = (await make({})).json();
    const otherAccount = await makeAccount(service, 'free');

    const reply = await adminCall(service)('PATCH', `/accounts/${otherAccount.id}/keys/${id}`, {
      payload: { name: 'taken' },
    });

    expect(reply.statusCode).toBe(404);
  });
});
