import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TROUPE_ADMIN_PASSWORD, adminCall } from '../../support/api/admin.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';

const PASSWORD = 'correct horse battery';
let service: BuiltApp;
beforeAll(async () => {
  service = await buildApp({ slots: 0, env: { TROUPE_ADMIN_PASSWORD } });
});
afterAll(() => service.close());

const call: ReturnType<typeof adminCall> = (...request) => adminCall(service)(...request);

let adminCount = 0;
async function newAdmin(): Promise<{ id: string; name: string }> {
  const payload = { name: `Ada ${(adminCount += 1)}`, password: PASSWORD };
  return (await call('POST', '/admins', { payload })).json();
}

const signIn = (name: string, password: string, remoteAddress = '203.0.113.1') =>
  service.app.server.inject({
    method: 'POST',
    url: '/admin/sign-ins',
    payload: { name, password },
    remoteAddress,
  });
const tokenOf = async (name: string): Promise<string> =>
  (await signIn(name, PASSWORD)).json().token;
const accounts = (token: string) =>
  call('GET', '/accounts', { headers: { authorization: `Bearer ${token}` } });

describe('an administrator', () => {
  test('signs in with name and password, and then uses the admin API', async () => {
    const { id, name } = await newAdmin();

    const reply = await signIn(name, PASSWORD);

    expect(reply.statusCode, reply.body).toBe(201);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.json()).toEqual({
      token: expect.stringMatching(/^troupe_admin_/),
      expires_at: expect.any(String),
      admin: {
        id,
        name,
        created_at: expect.any(String),
        last_sign_in_at: null,
      },
    });
    expect((await accounts(reply.json().token)).statusCode).toBe(200);
    expect((await call('GET', `/admins/${id}`)).json().last_sign_in_at).not.toBeNull();
  });

  test('is signed in for eight hours', async () => {
    const { name } = await newAdmin();
    const token = await tokenOf(name);

    service.clock.leap(8 * 3_600_000 - 1);
    const replyBefore = await accounts(token);
    service.clock.advance(1);
    const replyAfter = await accounts(token);

    expect([replyBefore.statusCode, replyAfter.statusCode]).toEqual([200, 401]);
    expect(replyAfter.json()).toMatchObject({
      detail: 'This sign-in is no longer valid. Sign in again.',
    });
  });

  test('is named in the audit log', async () => {
    const { id, name } = await newAdmin();
    const token = await tokenOf(name);
    const headers = { authorization: `Bearer ${token}` };
    const account = (await call('POST', '/accounts', { headers, payload: { name: 'x' } })).json();
    const path = `/accounts/${account.id}/keys`;
    const { key } = (await call('POST', path, { headers, payload: { name: 'k' } })).json();

    const log = await service.call('GET', '/v1/audit-log', { headers: { 'x-api-key': key } });

    expect(log.json().data).toEqual([
      expect.objectContaining({ actor: { type: 'admin', id, name }, action: 'api_key.created' }),
      expect.objectContaining({ actor: { type: 'admin', id, name }, action: 'account.created' }),
    ]);
  });

  test('is signed out by a new password, which then is the only one', async () => {
    const { id, name } = await newAdmin();
    const token = await tokenOf(name);

    const payload = { password: 'another long password' };
    const changed = await call('PATCH', `/admins/${id}`, { payload });

    expect(changed.statusCode).toBe(200);
    expect((await accounts(token)).statusCode).toBe(401);
    expect((await signIn(name, PASSWORD)).statusCode).toBe(401);
    expect((await signIn(name, 'another long password')).statusCode).toBe(201);
  });

  test('is signed out by removal', async () => {
    const { id, name } = await newAdmin();
    const token = await tokenOf(name);

    const removed = await call('DELETE', `/admins/${id}`);

    expect(removed.statusCode).toBe(204);
    expect((await accounts(token)).statusCode).toBe(401);
    expect((await signIn(name, PASSWORD)).statusCode).toBe(401);
    expect((await call('GET', `/admins/${id}`)).statusCode).toBe(404);
  });

  test('has a name of its own', async () => {
    const [firstAdmin, secondAdmin] = [await newAdmin(), await newAdmin()];

    const repeatedReply = await call('POST', '/admins', {
      payload: { name: firstAdmin.name, password: PASSWORD },
    });
    const renamed = await call('PATCH', `/admins/${secondAdmin.id}`, {
      payload: { name: firstAdmin.name },
    });

    expect([repeatedReply.statusCode, renamed.statusCode]).toEqual([409, 409]);
    expect(repeatedReply.json()).toMatchObject({ detail: 'Someone else has this name.' });
  });

  test('is never shown with its password or hash', async () => {
    await newAdmin();

    const listed = await call('GET', '/admins?limit=50');

    expect(listed.statusCode).toBe(200);
    expect(listed.body).not.toContain('scrypt');
    expect(listed.body).not.toContain(PASSWORD);
  });

  test.each([
    { what: 'a short password', payload: { name: 'x', password: 'short' } },
    { what: 'no name', payload: { password: PASSWORD } },
    { what: 'no password', payload: { name: 'x' } },
  ])('is not created with $what', async ({ payload }) => {
    const reply = await call('POST', '/admins', { payload });

    expect(reply.statusCode).toBe(422);
    expect(reply.body).not.toContain('"short"');
  });

  test('needs an administrator to be created', async () => {
    const reply = await service.app.server.inject({
      method: 'POST',
      url: '/admin/admins',
      payload: { name: 'x', password: PASSWORD },
    });

    expect(reply.statusCode).toBe(401);
  });
});

describe('a sign-in', () => {
  test('does not tell a wrong password from an unknown name', async () => {
    const { name } = await newAdmin();

    const replies = [await signIn(name, 'wrong password'), await signIn('nobody', PASSWORD)];

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([401, 401]);
    expect(replies[0]?.json()).toMatchObject({ detail: 'The name or the password is wrong.' });
    expect(replies[0]?.body).toBe(replies[1]?.body);
  });

  test('leaves the shared password as it is', async () => {
    expect((await accounts(TROUPE_ADMIN_PASSWORD)).statusCode).toBe(200);
    expect((await accounts('troupe_admin_x.1.y')).statusCode).toBe(401);
  });
});
