import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RESOURCE_SCOPES } from '../../../src/accounts/key-scopes.ts';
import { resourceOf } from '../../../src/http/auth/key-scope.ts';
import { TROUPE_ADMIN_PASSWORD, adminCall, makeAccount } from '../../support/api/admin.ts';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { routesOf } from '../../support/api/route-table.ts';

let service: BuiltApp;
let account: Awaited<ReturnType<typeof makeAccount>>;
beforeAll(async () => {
  service = await buildApp({ env: { TROUPE_ADMIN_PASSWORD } });
  account = await makeAccount(service, 'unlimited');
});
afterAll(() => service.close());

const newKey = async (payload: object) => {
  const path = `/accounts/${account.id}/keys`;
  const reply = await adminCall(service)('POST', path, { payload: { name: 'k', ...payload } });
  return { id: reply.json().id as string, headers: { 'x-api-key': reply.json().key as string } };
};
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
const status = async (method: Method, path: string, headers: Record<string, string>) =>
  (await service.call(method, path, { headers })).statusCode;

describe('the scopes of a key', () => {
  test('cover every route under /v1', () => {
    const routes = routesOf(service.app.server).filter(
      ({ path }) => path.startsWith('/v1/') && !path.startsWith('/v1/chat/'),
    );

    expect(routes.length).toBeGreaterThan(50);
    expect(routes.filter(({ path }) => resourceOf(path) === undefined)).toEqual([]);
  });

  test('permit every route of their resource and no other', async () => {
    const { headers } = await newKey({ scopes: ['agents:write'] });
    const routes = routesOf(service.app.server).filter(
      ({ method, path }) =>
        /^(GET|POST|PUT|PATCH|DELETE)$/.test(method) &&
        path.startsWith('/v1/') &&
        !/^\/v1\/(chat|fleet|auth)\//.test(path),
    );

    for (const { method, path } of routes) {
      const got = await status(method as Method, path.replace(/:\w+/g, 'x'), headers);
      const isPermitted = /^\/v1\/(agents?|abilities|voices)(\/|$)/.test(path);
      expect(got === 403, `${method} ${path}: ${got}`).toBe(!isPermitted);
    }
    expect(await status('GET', '/v1/auth/verify', headers)).toBe(204);
  });

  test('of reading refuse every change, and say what is missing', async () => {
    const { headers } = await newKey({ scopes: ['agents:read', 'sessions:read'] });

    const refused = await service.call('POST', '/v1/agents', {
      headers,
      payload: { name: 'a', avatar_id: NORA },
    });

    expect(await status('GET', '/v1/agents', headers)).toBe(200);
    expect(await status('DELETE', '/v1/agents/x', headers)).toBe(403);
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({
      detail: 'This API key lacks the scope `agents:write`.',
    });
  });

  test('of operators may be limited to reading', async () => {
    const { headers } = await newKey({ scope: 'operator', scopes: ['fleet:read'] });

    expect(await status('GET', '/v1/fleet/workers', headers)).toBe(200);
    expect(await status('POST', '/v1/fleet/audit/repair', headers)).toBe(403);
    expect(await status('GET', '/v1/audit-log', headers)).toBe(403);
    const metrics = await service.app.server.inject({
      url: '/metrics',
      headers,
      remoteAddress: '203.0.113.7',
    });
    expect(metrics.statusCode).toBe(200);
  });

  test('need sessions:write for vendor adapters', async () => {
    const body = { avatar_id: NORA };
    const open = async (scopes: string[]) => {
      const { headers } = await newKey({ scopes });
      const reply = await service.call('POST', '/compat/protoface/v1/sessions', {
        headers: { authorization: `Bearer ${headers['x-api-key']}`, 'x-api-key': '' },
        payload: body,
      });
      return reply.statusCode;
    };

    expect(await open(['sessions:read', 'agents:write'])).toBe(403);
    expect(await open(['sessions:write'])).not.toBe(403);
  });

  test.each([
    { what: 'an unknown scope', payload: { scopes: ['agents:admin'] } },
    { what: 'no scope at all', payload: { scopes: [] } },
    { what: 'the fleet for a key of the account', payload: { scopes: ['fleet:read'] } },
    {
      what: 'agents for an operator',
      payload: { scope: 'operator', scopes: ['fleet:read', 'agents:read'] },
    },
  ])('refuse $what', async ({ payload }) => {
    const path = `/accounts/${account.id}/keys`;

    const reply = await adminCall(service)('POST', path, { payload: { name: 'k', ...payload } });

    expect(reply.statusCode, reply.body).toBe(422);
    expect(reply.json().detail[0].loc.slice(0, 2)).toEqual(['body', 'scopes']);
  });

  test('have names for reading and writing each resource', () => {
    expect(RESOURCE_SCOPES).toContain('knowledge_files:read');
    expect(new Set(RESOURCE_SCOPES).size).toBe(RESOURCE_SCOPES.length);
  });
});
