/* Every route that changes something has an entry in this table, or a reason to have none. */
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/records/engine/database.ts';
import { TROUPE_ADMIN_PASSWORD, adminCall, makeAccount } from '../../support/api/admin.ts';
import { auditLogOf } from '../../support/api/audit-log.ts';
import { Browser } from '../../support/api/browser.ts';
import { API_KEY, buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { formOf, pictureBytes } from '../../support/api/form.ts';
import { file } from '../../support/api/photo-avatars.ts';
import { refuseEntries, rowsOf } from '../../support/records/refused-entries.ts';
import { newAgent, newApi, newFile } from '../../support/api/resources.ts';
import { routesOf } from '../../support/api/route-table.ts';
import { until } from '../../support/until.ts';

const NOWHERE = 'http://127.0.0.1:9/v1';

let service: BuiltApp;
let operator: Awaited<ReturnType<typeof makeAccount>>;
let log: ReturnType<typeof auditLogOf>;
const open = async () => {
  service = await buildApp({ env: { TROUPE_ADMIN_PASSWORD } });
  operator = await makeAccount(service, 'free', 'operator');
  log = auditLogOf(service, operator.headers);
};

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

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
  const fileId = await id('/v1/knowledge-files', { name: 'Prices', format: 'text' });
  await service.call('PUT', `/v1/knowledge-files/${fileId}/upload?chunk_number=0`, {
    payload: 'Eggs',
    headers: { 'content-type': 'application/octet-stream' },
  });
  return fileId;
};
const newWorkerToken = async () => {
  const { headers } = operator;
  const payload = { name: 'a worker' };
  return (await service.call('POST', '/v1/fleet/worker-tokens', { headers, payload })).json()
    .id as string;
};
const newCanary = async () => {
  const { headers } = operator;
  const payload = { pool: 'next', share_percent: 5 };
  await service.call('PUT', '/v1/fleet/canary', { headers, payload });
  return '';
};
const overflow = {
  url: 'http://127.0.0.1:9',
  api_key: 'key-of-theirs',
  price_per_minute: 0.1,
  ceiling: 5,
  period: 'day',
  max_sessions: 0,
};
const newOverflow = async () => {
  await service.call('PUT', '/v1/fleet/overflow', { headers: operator.headers, payload: overflow });
  return '';
};
const cordonedWorker = async () => {
  const { workerId } = await service.join({ slots: 1 });
  const { headers } = operator;
  await service.call('POST', `/v1/fleet/workers/${workerId}/cordon`, { headers });
  return workerId;
};
const newAccount = async () =>
  (await adminCall(service)('POST', '/accounts', { payload: { name: 'Ada' } })).json().id as string;

const newCall = async () => id('/v1/calls', { agent_id: await newAgent(service) });
/** Waits until its slots are free again, which takes the workers a moment. */
const ended = async (path: string, make: () => Promise<string>) => {
  const fleetBefore = await fleetOf(service);
  const resourceId = await make();
  await service.call('POST', `${path}/${resourceId}/end`);
  await until(async () => isDeepStrictEqual(await fleetOf(service), fleetBefore));
  return resourceId;
};
const endedSession = () => ended('/v1/sessions', newSession);
const endedCall = () => ended('/v1/calls', newCall);
const newAdmin = async (name: string) => {
  const payload = { name, password: 'correct horse battery' };
  return (await adminCall(service)('POST', '/admins', { payload })).json().id as string;
};
const newKey = async () => {
  const { id, keyId } = await makeAccount(service, 'free');
  return `${id}/keys/${keyId}`;
};

const newDomain = async () => {
  const accountId = await newAccount();
  const payload = { domain: `${accountId}.example` };
  const reply = await adminCall(service)('POST', `/accounts/${accountId}/domains`, { payload });
  return `${accountId}/domains/${reply.json().id}`;
};

const newOwnKey = () => id('/v1/api-keys', { name: 'a key' });
const newInvitation = () => id('/v1/invitations', { role: 'viewer' });
let people = 0;
const newPerson = async () => {
  const { link } = (
    await service.call('POST', '/v1/invitations', { payload: { role: 'viewer' } })
  ).json();
  const browser = await new Browser(service).join(link, `person ${(people += 1)}`);
  return (await browser.call('GET', '/console/api/me')).json().id as string;
};

type Sent = { payload?: object; headers?: Record<string, string> };

/** The action that a route records, its body, and the resource to call it on. */
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
  'PATCH /v1/account': {
    action: 'account.updated',
    payload: { retention_days: { calls: 30 } },
  },
  'POST /v1/api-keys': { action: 'api_key.created', payload: { name: 'a key' } },
  'PATCH /v1/api-keys/:id': {
    action: 'api_key.updated',
    make: newOwnKey,
    payload: { name: 'b' },
  },
  'DELETE /v1/api-keys/:id': { action: 'api_key.revoked', make: newOwnKey },
  'POST /v1/invitations': { action: 'invitation.created', payload: { role: 'viewer' } },
  'DELETE /v1/invitations/:id': { action: 'invitation.deleted', make: newInvitation },
  'PATCH /v1/people/:id': {
    action: 'person.updated',
    make: newPerson,
    payload: { role: 'builder' },
  },
  'DELETE /v1/people/:id': { action: 'person.deleted', make: newPerson },
  'POST /v1/people/:id/sign-in-links': { action: 'person.link_created', make: newPerson },
  'POST /admin/invitations': { action: 'invitation.created', payload: { is_operator: true } },
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
  'POST /v1/fleet/workers/:id/log-level': {
    action: 'worker.log_level_set',
    make: async () => (await service.join({ slots: 1 })).workerId,
    payload: { level: 'debug' },
  },
  'POST /v1/fleet/workers/:id/cordon': {
    action: 'worker.cordoned',
    make: async () => (await service.join({ slots: 1 })).workerId,
  },
  'POST /v1/fleet/workers/:id/resume': { action: 'worker.resumed', make: cordonedWorker },
  'POST /v1/fleet/audit/repair': { action: 'fleet.repaired' },
  'PUT /v1/fleet/canary': {
    action: 'canary.started',
    payload: { pool: 'next', share_percent: 5 },
  },
  'DELETE /v1/fleet/canary': { action: 'canary.ended', make: newCanary },
  'PUT /v1/fleet/overflow': { action: 'overflow.set', payload: overflow },
  'DELETE /v1/fleet/overflow': { action: 'overflow.removed', make: newOverflow },
  'POST /v1/fleet/rebalance': { action: 'fleet.rebalanced', payload: {} },
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
  'POST /admin/accounts/:id/domains': {
    action: 'account_domain.created',
    make: newAccount,
    payload: { domain: 'example.com' },
  },
  'DELETE /admin/accounts/:id/domains/:domainId': {
    action: 'account_domain.deleted',
    make: newDomain,
  },
};

/** Routes that change nothing of the account, and why. */
const unaudited: Record<string, string> = {
  'POST /v1/sessions': 'the session is its own record',
  'POST /v1/session': 'the session is its own record',
  'PATCH /v1/sessions/:id': 'what a session shows is in its own record',
  'POST /v1/calls': 'the call is its own record',
  'POST /v1/mediaserver-rooms': 'the call is its own record',
  'POST /v1/livekit-rooms': 'the call is its own record',
  'POST /v1/chat/:id/calls': 'the call is its own record',
  'DELETE /v1/chat/:id/calls/:call_id': 'a visitor hangs up: the call is its own record',
  'PUT /v1/chat/:id/calls/:call_id/rating': 'a visitor rates a call, whose record has it',
  'DELETE /v1/chat/:id/line': 'a visitor stops waiting',
  'POST /v1/calls/:id/token': 'makes another token, as opening the call does',
  'POST /v1/external-apis/:id/check': 'sends a request',
  'PUT /v1/knowledge-files/:id/upload': 'counts when the file is submitted',
  'POST /v1/playground/rooms': 'the media server alone keeps the room',
  'POST /v1/playground/rooms/:name/dispatches': 'asks for an agent',
  'DELETE /v1/playground/rooms/:name': 'the media server alone keeps the room',
  'POST /v1/sessions/:id/token': 'makes another token, as opening the session does',
  'POST /v1/webhooks/:id/test': 'sends an event',
  'POST /v1/webhooks/:id/deliveries/:delivery_id/redeliver': 'sends an event',
};

const changing = () =>
  routesOf(service.app.server)
    .filter(({ method, path }) => !/GET|HEAD|OPTIONS/.test(method) && /^\/(v1|admin)\//.test(path))
    .map(({ method, path }) => `${method} ${path}`);

describe('the routes of the audit log', () => {
  beforeAll(open);
  afterAll(() => service.close());

  test('knows every route that may change something', () => {
    const listedRoutes = [...Object.keys(audited), ...Object.keys(unaudited)];

    expect(changing().toSorted()).toEqual(listedRoutes.toSorted());
  });

  test.each(Object.entries(audited))('records %s', async (route, request) => {
    const send = await requestTo(route, request);
    const earlier = await log.newest();

    const reply = await send();

    const { action } = request;
    expect(reply.statusCode, reply.body).toBeLessThan(300);
    const entry = await log.newest();
    expect(entry).toMatchObject({ action, address: '127.0.0.1' });
    expect(entry.id).not.toBe(earlier.id);
  });
});

describe('a change whose entry cannot be written', () => {
  let database: Database;
  beforeAll(async () => {
    await open();
    database = service.place.open();
  });
  afterAll(async () => {
    await database.destroy();
    await service.close();
  });

  test.each(Object.entries(audited))('does not happen by %s', async (route, request) => {
    const send = await requestTo(route, request);
    const rowsBefore = await rowsOf(database);
    const workers = await fleetOf(service);
    const allow = await refuseEntries(database);

    const { statusCode } = await send().finally(allow);

    expect(statusCode).toBe(500);
    expect(await rowsOf(database)).toEqual(rowsBefore);
    expect(await fleetOf(service)).toEqual(workers);
  });
});

/** Makes what the request is about, and returns how to send it. */
async function requestTo(route: string, { make, more, ...plain }: Audited) {
  const [method = '', path = ''] = route.split(' ');
  const targetId = (await make?.()) ?? '';
  const { payload, headers = {} }: Sent = (await more?.()) ?? plain;
  return () =>
    service.app.server.inject({
      method: method as Method,
      url: path.replace(/:id\/(keys|domains)\/:\w+$/, targetId).replace(':id', targetId),
      headers: { ...headersOf(path), ...headers },
      ...(payload !== undefined && { payload }),
    });
}

const fleetOf = async ({ call }: BuiltApp) =>
  (await call('GET', '/v1/fleet/workers', { headers: operator.headers })).json();

function headersOf(path: string): Record<string, string> {
  if (path.startsWith('/admin/')) return { authorization: `Bearer ${TROUPE_ADMIN_PASSWORD}` };
  if (path.startsWith('/v1/fleet/')) return operator.headers;
  return { 'x-api-key': API_KEY };
}
