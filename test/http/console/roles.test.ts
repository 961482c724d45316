/* Tries each role on every route of the service. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { permits } from '../../../src/accounts/key-scopes.ts';
import { scopesOf } from '../../../src/accounts/people/roles.ts';
import { resourceOf } from '../../../src/http/auth/key-scope.ts';
import { Browser, personOf } from '../../support/api/browser.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { routesOf } from '../../support/api/route-table.ts';

let service: BuiltApp;
let owner: Browser;
let builder: Browser & { name: string };
let viewer: Browser & { name: string };
beforeAll(async () => {
  service = await buildApp({ slots: 0 });
  owner = await new Browser(service).openHere();
  builder = await personOf(service, owner, 'builder');
  viewer = await personOf(service, owner, 'viewer');
});
afterAll(() => service.close());

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
const status = async (reply: Promise<{ statusCode: number }>) => (await reply).statusCode;
const idOf = async (browser: Browser): Promise<string> =>
  (await browser.call('GET', '/console/api/me')).json().id;

describe('a role', () => {
  test.each(['viewer', 'builder'] as const)('of a %s permits its scopes alone', async (role) => {
    const browser = { viewer, builder }[role];
    const routes = routesOf(service.app.server).filter(
      ({ method, path }) =>
        /^(GET|POST|PUT|PATCH|DELETE)$/.test(method) &&
        /^\/(v1|admin)\//.test(path) &&
        !path.startsWith('/v1/chat/') &&
        // An open stream: live-events.test.ts.
        path !== '/v1/events',
    );
    expect(routes.length).toBeGreaterThan(80);

    const problems: string[] = [];
    for (const { method, path } of routes) {
      const resource = path.startsWith('/admin/') ? undefined : resourceOf(path);
      const access = method === 'GET' ? 'read' : 'write';
      const isOperators = path.startsWith('/v1/fleet') || resource === undefined;
      const isPermitted =
        !isOperators && (resource === null || permits(scopesOf(role), resource, access));
      const got = await status(browser.call(method as Method, path.replace(/:\w+/g, 'x')));
      if ((got === 403) === isPermitted || got === 401) problems.push(`${method} ${path}: ${got}`);
    }
    expect(problems).toEqual([]);
  });

  test('is changed and taken away at once', async () => {
    const person = await personOf(service, owner, 'viewer');
    const id = await idOf(person);
    const create = () => person.call('POST', '/v1/agents', {});

    expect(await status(create())).toBe(403);
    expect(await status(owner.call('PATCH', `/v1/people/${id}`, { role: 'builder' }))).toBe(200);
    expect(await status(create())).toBe(422);
    expect(await status(owner.call('DELETE', `/v1/people/${id}`))).toBe(204);
    expect(await status(create())).toBe(401);
    expect(await status(new Browser(service).signIn(person.name))).toBe(401);
  });

  test('of the last owner stays', async () => {
    const id = await idOf(owner);

    expect(await status(owner.call('PATCH', `/v1/people/${id}`, { role: 'viewer' }))).toBe(409);
    expect(await status(owner.call('DELETE', `/v1/people/${id}`))).toBe(409);

    const second = await personOf(service, owner, 'owner');
    const replies = await Promise.all([
      owner.call('PATCH', `/v1/people/${await idOf(second)}`, { role: 'viewer' }),
      second.call('PATCH', `/v1/people/${id}`, { role: 'viewer' }),
    ]);
    const { data } = (await builder.call('GET', '/v1/people?limit=50')).json();
    const owners = data.filter((person: { role: string }) => person.role === 'owner');
    expect(replies.map(({ statusCode }) => statusCode)).toContain(200);
    expect(owners).toHaveLength(1);
    // For the tests below.
    if (owners[0].id !== id) {
      await second.call('PATCH', `/v1/people/${id}`, { role: 'owner' });
    }
  });

  test('and a name stand in the audit log', async () => {
    const keyReply = await builder.call('POST', '/v1/api-keys', {
      name: 'k',
      scopes: ['agents:read'],
    });
    expect(keyReply.statusCode, keyReply.body).toBe(201);

    const { data } = (await owner.call('GET', '/v1/audit-log?action=api_key.created')).json();
    const options = { headers: { 'x-troupe-as': 'operator' } };
    const audit = await owner.call(
      'GET',
      '/v1/audit-log?action=invitation.created',
      undefined,
      options,
    );

    expect(data[0].actor).toEqual({
      type: 'person',
      id: await idOf(builder),
      name: builder.name,
    });
    expect(audit.json().data.length).toBeGreaterThan(1);
  });

  test('of an operator comes from the installation alone', async () => {
    const payload = { is_operator: true, name: 'Olu' };
    const invited = await owner.call('POST', '/admin/invitations', payload);
    const operator = await new Browser(service).join(invited.json().link, 'ignored');

    expect(await status(viewer.call('POST', '/admin/invitations', payload))).toBe(403);
    expect((await operator.call('GET', '/console/api/me')).json()).toMatchObject({
      name: 'Olu',
      role: null,
      is_operator: true,
      account: null,
    });
    expect(await status(operator.call('GET', '/v1/fleet/workers'))).toBe(200);
    expect(await status(operator.call('GET', '/admin/accounts'))).toBe(200);
    expect(await status(operator.call('GET', '/v1/agents'))).toBe(403);
    expect(await status(owner.call('POST', '/admin/invitations', { role: 'owner' }))).toBe(422);
    expect(await status(new Browser(service).call('GET', '/admin/accounts'))).toBe(404);
  });
});

const linkOf = (id: string, headers: Record<string, string>) =>
  service.call('POST', `/v1/people/${id}/sign-in-links`, { headers });

describe('a caller gives others no more rights than it has', () => {
  test('by a sign-in link', async () => {
    const operator = await idOf(owner);
    const second = await personOf(service, owner, 'owner');
    const fullKey = { 'x-api-key': (await make(owner, {})).json().key };
    const limitedKey = {
      'x-api-key': (await make(owner, { scopes: ['people:write'] })).json().key,
    };

    // The owner operates the installation; the second one and the account's keys do not.
    expect(await status(second.call('POST', `/v1/people/${operator}/sign-in-links`))).toBe(403);
    expect(await status(linkOf(operator, fullKey))).toBe(403);
    expect(await status(linkOf(await idOf(second), limitedKey))).toBe(403);
    expect(await status(linkOf(await idOf(second), fullKey))).toBe(201);
    expect(await status(owner.call('POST', `/v1/people/${operator}/sign-in-links`))).toBe(201);
  });

  test('by an invitation or a role', async () => {
    const person = await idOf(await personOf(service, owner, 'viewer'));
    const use = async (limits: object, role: string) => {
      const headers = { 'x-api-key': (await make(owner, limits)).json().key };
      const request = { headers, payload: { role } };
      return Promise.all([
        status(service.call('POST', '/v1/invitations', request)),
        status(service.call('PATCH', `/v1/people/${person}`, request)),
      ]);
    };
    const viewer = scopesOf('viewer')!.filter((scope) => !scope.startsWith('people:'));

    expect(await use({ scopes: ['people:write'] }, 'owner')).toEqual([403, 403]);
    expect(await use({ scopes: ['people:write'] }, 'viewer')).toEqual([403, 403]);
    expect(await use({ scopes: [...viewer, 'people:write'] }, 'viewer')).toEqual([201, 200]);
    expect(await use({ expires_at: '2099-01-01T00:00:00Z' }, 'viewer')).toEqual([403, 403]);
  });

  test('by changing the key of an operator', async () => {
    const { account } = (await owner.call('GET', '/console/api/me')).json();
    const second = await personOf(service, owner, 'owner');
    const limits = { scope: 'operator', expires_at: '2099-01-01T00:00:00Z' };
    const path = `/admin/accounts/${account.id}/keys`;
    const { id } = (await owner.call('POST', path, { name: 'fleet', ...limits })).json();
    const extend = (browser: Browser) =>
      status(browser.call('PATCH', `/v1/api-keys/${id}`, { expires_at: null }));

    expect(await extend(second)).toBe(403);
    expect(await extend(owner)).toBe(200);
  });
});

const make = (browser: Browser, payload: object) =>
  browser.call('POST', '/v1/api-keys', { name: 'k', ...payload });
const makeWith = (key: string, payload: object) =>
  service.call('POST', '/v1/api-keys', {
    headers: { 'x-api-key': key },
    payload: { name: 'k', ...payload },
  });

describe('an API key', () => {
  test('has no more scopes than the person or key that creates it', async () => {
    const limited = (await make(owner, { scopes: ['api_keys:write', 'agents:read'] })).json().key;
    const expiring = (await make(owner, { expires_at: '2099-01-01T00:00:00Z' })).json().key;

    expect(await status(make(builder, {}))).toBe(403);
    expect(await status(make(builder, { scopes: ['people:write'] }))).toBe(403);
    expect(await status(make(builder, { scopes: ['agents:write'] }))).toBe(201);
    expect(await status(makeWith(limited, {}))).toBe(403);
    expect(await status(makeWith(limited, { scopes: ['agents:write'] }))).toBe(403);
    expect(await status(makeWith(limited, { scopes: ['agents:read'] }))).toBe(201);
    expect(await status(makeWith(expiring, { scopes: ['agents:read'] }))).toBe(403);
  });

  test('is listed, limited and revoked', async () => {
    const { id, key } = (await make(owner, {})).json();
    const use = () => service.call('GET', '/v1/agents', { headers: { 'x-api-key': key } });
    const path = `/v1/api-keys/${id}`;

    const { data } = (await viewer.call('GET', '/v1/api-keys')).json();
    expect(data[0]).toMatchObject({ id, scopes: null });
    expect(JSON.stringify(data)).not.toContain(key);
    expect(await status(use())).toBe(200);
    expect(await status(builder.call('PATCH', path, { name: 'stronger than the caller' }))).toBe(
      403,
    );
    expect(await status(owner.call('PATCH', path, { scopes: ['sessions:read'] }))).toBe(200);
    expect(await status(use())).toBe(403);
    expect(await status(builder.call('DELETE', path))).toBe(204);
    expect(await status(use())).toBe(401);
  });

  test('wins over the cookie', async () => {
    const reply = await owner.call('GET', '/v1/agents', undefined, {
      headers: { 'x-api-key': 'wrong' },
    });

    expect(reply.statusCode).toBe(401);
  });
});
