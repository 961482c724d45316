import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TROUPE_ADMIN_PASSWORD, adminCall, makeAccount } from '../../../support/api/admin.ts';
import { API_KEY, buildApp, NORA, type BuiltApp } from '../../../support/api/build-app.ts';
import { formOf, pictureBytes } from '../../../support/api/form.ts';
import { file } from '../../../support/api/photo-avatars.ts';
import { newAgent, newApi, newFile } from '../../../support/api/resources.ts';
import { routesOf } from '../../../support/api/route-table.ts';

const FIRST_ACCOUNT = '00000000-0000-4000-8000-000000000001';
const NOWHERE = 'http://127.0.0.1:9/v1';

let service: BuiltApp;
let operator: Awaited<ReturnType<typeof makeAccount>>;
beforeAll(async () => {
  service = await buildApp({ env: { TROUPE_ADMIN_PASSWORD } });
  operator = await makeAccount(service, 'free', 'operator');
});
afterAll(() => service.close());

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const read = async (query = '', headers: Record<string, string> = operator.headers) =>
  (await service.call('GET', `/v1/audit-log${query}`, { headers })).json();
const newest = async () => (await read('?limit=1')).data[0];

async function id(path: string, payload: object): Promise<string> {
  return (await service.call('POST', path, { payload })).json().id;
}
const newWebhook = () => id('/v1/webhooks', { url: NOWHERE, events: ['message'] });
const newSession = () => id('/v1/sessions', { avatar_id: NORA });
const newAvatar = async () => {
  const form = await formOf({
    name: 'Ada',
    picture: file(pictureBytes()),
    consent: 'She agrees.',
  });
  return (await service.call('POST', '/v1/avatars', form)).json().id as string;
};
const newUpload = async () => {
  const made = await id('/v1/knowledge-files', { name: 'Prices', format: 'text' });
  await service.call('PUT', `/v1/knowledge-files/${made}/upload?chunk_number=0`, {
    payload: 'Eggs',
    headers: { 'content-type': 'application/octet-stream' },
  });
  return made;
};
const newWorkerToken = async () => {
  const { headers } = operator;
  const payload = { name: 'a worker' };
  return (await service.call('POST', '/v1/fleet/worker-tokens', { headers, payload })).json()
    .id as string;
};
const newAccount = async () =>
  (await adminCall(service)('POST', '/accounts', { payload: { name: 'Ada' } })).json().id as string;

const endedSession = async () => {
  const made = await newSession();
  await service.call('POST', `/v1/sessions/${made}/end`);
  return made;
};
const newCall = async () => id('/v1/calls', { agent_id: await newAgent(service) });
const endedCall = async () => {
  const made = await newCall();
  await service.call('POST', `/v1/calls/${made}/end`);
  return made;
};
const newAdmin = async (name: string) => {
  const payload = { name, password: 'correct horse battery' };
  return (await adminCall(service)('POST', '/admins', { payload })).json().id as string;
};
const newKey = async () => {
  const { id, keyId } = await makeAccount(service, 'free');
  return `${id}/keys/${keyId}`;
};

type Sent = { payload?: object; headers?: Record<string, string> };

/** What a route records, its body and the resource to use it on. */
type Audited = {
  action: string;
  make?: () => Promise<string>;
  payload?: object;
  /** Other parts of the request. */
  more?: () => Promise<{ payload: Buffer; headers: Record<string, string> }>;
};

const agent = { name: 'Jarvis', avatar_id: NORA };
const api = { type: 'openai_compatible_llm', name: 'Model', url: NOWHERE, api_key: 'sk-1' };

const audited: Record<string, Audited> = {
  'POST /v1/agents': { action: 'agent.created', payload: agent },
  'POST /v1/agent': { action: 'agent.created', payload: agent },
  'PATCH /v1/agents/:id': {
    action: 'agent.updated',
    make: () => newAgent(service),
    payload: { name: 'b' },
  },
  'PATCH /v1/agent/:id': {
    action: 'agent.updated',
    make: () => newAgent(service),
    payload: { name: 'b' },
  },
  'DELETE /v1/agents/:id': { action: 'agent.deleted', make: () => newAgent(service) },
  'DELETE /v1/agent/:id': { action: 'agent.deleted', make: () => newAgent(service) },
  'POST /v1/agents/:id/link-secret': {
    action: 'agent.made_private',
    make: () => newAgent(service),
  },
  'DELETE /v1/agents/:id/link-secret': {
    action: 'agent.made_public',
    make: () => newAgent(service),
  },
  'POST /v1/calls/:id/end': { action: 'call.ended', make: newCall },
  'POST /v1/external-apis': { action: 'external_api.created', payload: api },
  'POST /v1/external-api': { action: 'external_api.created', payload: api },
  'PATCH /v1/external-apis/:id': {
    action: 'external_api.updated',
    make: () => newApi(service),
    payload: { api_key: 'sk-2' },
  },
  'PATCH /v1/external-api/:id': {
    action: 'external_api.updated',
    make: () => newApi(service),
    payload: { name: 'b' },
  },
  'DELETE /v1/external-apis/:id': { action: 'external_api.deleted', make: () => newApi(service) },
  'DELETE /v1/external-api/:id': { action: 'external_api.deleted', make: () => newApi(service) },
  'POST /v1/knowledge-files': {
    action: 'knowledge_file.created',
    payload: { name: 'Prices', format: 'text' },
  },
  'POST /v1/knowledge-files/:id/submit': { action: 'knowledge_file.submitted', make: newUpload },
  'DELETE /v1/knowledge-files/:id': {
    action: 'knowledge_file.deleted',
    make: () => newFile(service),
  },
  'POST /v1/avatars': {
    action: 'avatar.created',
    more: () => formOf({ name: 'Ada', picture: file(pictureBytes()), consent: 'She agrees.' }),
  },
  'DELETE /v1/avatars/:id': { action: 'avatar.deleted', make: newAvatar },
  'POST /v1/sessions/:id/end': { action: 'session.ended', make: newSession },
  'DELETE /v1/sessions/:id': { action: 'session.deleted', make: endedSession },
  'DELETE /v1/calls/:id': { action: 'call.deleted', make: endedCall },
  'POST /v1/export': { action: 'account.exported' },
  'POST /v1/webhooks': {
    action: 'webhook.created',
    payload: { url: NOWHERE, events: ['message'] },
  },
  'PATCH /v1/webhooks/:id': {
    action: 'webhook.updated',
    make: newWebhook,
    payload: { description: 'b' },
  },
  'DELETE /v1/webhooks/:id': { action: 'webhook.deleted', make: newWebhook },
  'POST /v1/webhooks/:id/rotate-secret': { action: 'webhook.secret_rotated', make: newWebhook },
  'POST /v1/fleet/worker-tokens': { action: 'worker_token.created', payload: { name: 'a' } },
  'DELETE /v1/fleet/worker-tokens/:id': { action: 'worker_token.revoked', make: newWorkerToken },
  'POST /v1/fleet/workers/:id/drain': {
    action: 'worker.drained',
    make: async () => (await service.join({ slots: 1 })).workerId,
  },
  'POST /v1/fleet/audit/repair': { action: 'fleet.repaired' },
  'POST /admin/sign-ins': {
    action: 'admin.signed_in',
    make: () => newAdmin('signs in'),
    payload: { name: 'signs in', password: 'correct horse battery' },
  },
  'POST /admin/admins': {
    action: 'admin.created',
    payload: { name: 'created', password: 'correct horse battery' },
  },
  'PATCH /admin/admins/:id': {
    action: 'admin.updated',
    make: () => newAdmin('changed'),
    payload: { password: 'another long password' },
  },
  'DELETE /admin/admins/:id': { action: 'admin.deleted', make: () => newAdmin('deleted') },
  'POST /admin/accounts': { action: 'account.created', payload: { name: 'Ada' } },
  'PATCH /admin/accounts/:id': {
    action: 'account.updated',
    make: newAccount,
    payload: { plan: 'scale' },
  },
  'DELETE /admin/accounts/:id': { action: 'account.deleted', make: newAccount },
  'POST /admin/accounts/:id/keys': {
    action: 'api_key.created',
    make: newAccount,
    payload: { name: 'a key' },
  },
  'PATCH /admin/accounts/:id/keys/:keyId': {
    action: 'api_key.updated',
    make: newKey,
    payload: { name: 'b' },
  },
  'DELETE /admin/accounts/:id/keys/:keyId': { action: 'api_key.revoked', make: newKey },
};

/** Routes that change nothing of the account, and why. */
const unaudited: Record<string, string> = {
  'POST /v1/sessions': 'the session is its own record',
  'POST /v1/session': 'the session is its own record',
  'POST /v1/calls': 'the call is its own record',
  'POST /v1/mediaserver-rooms': 'the call is its own record',
  'POST /v1/livekit-rooms': 'the call is its own record',
  'POST /v1/chat/:id/calls': 'the call is its own record',
  'DELETE /v1/chat/:id/calls/:call_id': 'a visitor hangs up: the call is its own record',
  'POST /v1/external-apis/:id/check': 'sends a request',
  'PUT /v1/knowledge-files/:id/upload': 'counts when the file is submitted',
  'POST /v1/webhooks/:id/test': 'sends an event',
  'POST /v1/webhooks/:id/deliveries/:delivery_id/redeliver': 'sends an event',
};

const changing = () =>
  routesOf(service.app.server)
    .filter(({ method, path }) => !/GET|HEAD|OPTIONS/.test(method) && /^\/(v1|admin)\//.test(path))
    .map(({ method, path }) => `${method} ${path}`);

describe('the audit log', () => {
  test('knows every route that may change something', () => {
    const known = [...Object.keys(audited), ...Object.keys(unaudited)];

    expect(changing().toSorted()).toEqual(known.toSorted());
  });

  test.each(Object.entries(audited))('records %s', async (route, { action, ...request }) => {
    const [method = '', path = ''] = route.split(' ');
    const made = (await request.make?.()) ?? '';
    const headers = headersOf(path);
    const { payload, headers: own = {} }: Sent = (await request.more?.()) ?? request;

    const reply = await service.app.server.inject({
      method: method as Method,
      url: path.replace(':id/keys/:keyId', made).replace(':id', made),
      headers: { ...headers, ...own },
      ...(payload !== undefined && { payload }),
    });

    expect(reply.statusCode, reply.body).toBeLessThan(300);
    expect(await newest()).toMatchObject({ action, address: '127.0.0.1' });
  });

  test('says who, what, when and from where, with the fields that changed', async () => {
    const agentId = await newAgent(service);
    service.clock.advance(1_000);

    await service.app.server.inject({
      method: 'PATCH',
      url: `/v1/agents/${agentId}`,
      payload: { name: 'Friday', language: 'en' },
      headers: { 'x-api-key': API_KEY },
      remoteAddress: '203.0.113.9',
    });

    expect(await newest()).toEqual({
      id: expect.any(String),
      at: expect.stringMatching(/^2026-01-01T12:/),
      account_id: FIRST_ACCOUNT,
      actor: { type: 'key', id: expect.any(String), name: 'TROUPE_API_KEY' },
      address: '203.0.113.9',
      action: 'agent.updated',
      target_id: agentId,
      before: { name: 'Jarvis' },
      after: { name: 'Friday' },
    });
  });

  test('names administrators, and installation-wide changes by no account', async () => {
    const accountId = await newAccount();
    const byAdmin = await newest();
    await newWorkerToken();

    expect(byAdmin).toMatchObject({
      account_id: accountId,
      actor: { type: 'admin', id: null },
      after: { name: 'Ada', plan: 'free' },
    });
    expect(await newest()).toMatchObject({
      account_id: null,
      actor: { type: 'key', id: operator.keyId, name: 'a key' },
    });
  });

  test('records no failed request, repeated request or update without a difference', async () => {
    const agentId = await newAgent(service);
    const key = { 'idempotency-key': 'the-same' };
    await service.call('POST', '/v1/agents', { payload: agent, headers: key });
    const before = await newest();

    await service.call('POST', '/v1/agents', { payload: agent, headers: key });
    await service.call('PATCH', `/v1/agents/${agentId}`, { payload: { name: 'Jarvis' } });
    await service.call('PATCH', '/v1/agents/nobody', { payload: { name: 'b' } });
    await service.call('DELETE', '/v1/agents/nobody');
    await service.call('POST', '/v1/agents', { payload: {} });

    expect(await newest()).toEqual(before);
  });

  test('records that a secret is new, without the secret', async () => {
    const apiId = await newApi(service);

    await service.call('PATCH', `/v1/external-apis/${apiId}`, {
      payload: { api_key: 'sk-of-the-owner' },
    });

    expect(await newest()).toMatchObject({
      before: { api_key: '[hidden]' },
      after: { api_key: '[new]' },
    });
    expect(JSON.stringify(await read('?limit=50'))).not.toContain('sk-');
  });

  test('shows an account its own changes only', async () => {
    const other = await makeAccount(service, 'free');
    await newAgent(service);

    const theirs = await read('', other.headers);
    const asked = await service.call('GET', `/v1/audit-log?account_id=${FIRST_ACCOUNT}`, {
      headers: other.headers,
    });

    expect(theirs.data.map((entry: { action: string }) => entry.action)).toEqual([
      'api_key.created',
      'account.created',
    ]);
    expect(asked.statusCode).toBe(403);
  });

  test('shows operators one account, one action or one resource', async () => {
    const agentId = await newAgent(service);

    const { data } = await read(`?account_id=${FIRST_ACCOUNT}&action=agent.created`);
    const about = await read(`?target_id=${agentId}`);

    expect(data[0]).toMatchObject({ target_id: agentId });
    expect(new Set(data.map((entry: { action: string }) => entry.action))).toEqual(
      new Set(['agent.created']),
    );
    expect(about.data).toHaveLength(1);
  });

  test('is exported as lines of JSON, or as a table', async () => {
    const agentId = await id('/v1/agents', { name: '=1+1', avatar_id: NORA });
    const query = `?target_id=${agentId}`;

    const lines = await service.call('GET', `/v1/audit-log/export${query}`);
    const table = await service.call('GET', `/v1/audit-log/export${query}&format=csv`);

    expect(lines.headers['content-type']).toBe('application/x-ndjson');
    expect(lines.headers['content-disposition']).toBe('attachment; filename="audit-log.ndjson"');
    expect(
      lines.body
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual((await read(query)).data);
    const [head, row] = table.body.trimEnd().split('\r\n');
    expect(table.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(head).toMatch(/^id,at,account_id,actor_type,/);
    expect(row).toContain(`,agent.created,${agentId},`);
    expect(row).toContain('"{""id"":');
  });

  test('is exported whole, beyond one page', async () => {
    const other = await makeAccount(service, 'free');
    const db = service.place.open();
    const [row] = await db
      .selectFrom('audit_entries')
      .selectAll()
      .where('account_id', '=', other.id)
      .limit(1)
      .execute();
    const copies = Array.from({ length: 600 }, (_, i) => ({
      ...row!,
      id: `copy ${i}`,
      before_sealed: null,
      after_sealed: null,
      listed_at: i,
    }));
    await db.insertInto('audit_entries').values(copies).execute();
    await db.destroy();

    const { body } = await service.call('GET', '/v1/audit-log/export', { headers: other.headers });

    expect(body.trimEnd().split('\n')).toHaveLength(602);
  });
});

function headersOf(path: string): Record<string, string> {
  if (path.startsWith('/admin/')) return { authorization: `Bearer ${TROUPE_ADMIN_PASSWORD}` };
  if (path.startsWith('/v1/fleet/')) return operator.headers;
  return { 'x-api-key': API_KEY };
}
