/*
 * Resources of an account do not exist for other accounts. The routes come from the server, so a
 * new route is tested automatically: a resource without a maker here fails the test.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TROUPE_ADMIN_PASSWORD, makeAccount } from '../support/api/admin.ts';
import { Browser } from '../support/api/browser.ts';
import { API_KEY, buildApp, NORA, type BuiltApp } from '../support/api/build-app.ts';
import { FakeAgentRooms } from '../support/fleet/fake-agent-rooms.ts';
import { routesOf } from '../support/api/route-table.ts';

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9/v1';

/** Routes that are not scoped to an account, and why. */
const notOwned: Record<string, string> = {
  '/v1/avatars/:id':
    'mostly public; reserved ones: avatars.test.ts, an account’s own: photo-avatars.test.ts',
  '/v1/avatars/:id/sheet': 'as the avatar: sheet.test.ts',
  '/v1/avatar/:id': 'as its successor',
  '/agents/:id/logo': 'logos need no key',
  '/voices/:id/recordings/:index': 'recordings are of the service',
  '/avatars/:id/picture': 'pictures need no key',
  '/v1/chat/:id': 'public: chat.test.ts',
  '/v1/chat/:id/calls': 'public: chat.test.ts',
  '/v1/chat/:id/calls/:call_id': 'by the room token of its user: chat.test.ts',
  '/v1/chat/:id/calls/:call_id/rating': 'by the room token of its user: chat.test.ts',
  '/v1/chat/:id/line': 'public: line.test.ts',
  '/:id(^[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}$)': 'the same page for every id: pages.test.ts',
  '/embed/:id(^[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}$)': 'the same page for every id: pages.test.ts',
  '/worker-blobs/:hash': 'for workers only: blobs.test.ts',
  '/worker-calls/:callId': 'for the worker that holds it: worker-calls.test.ts',
  '/worker-calls/:callId/lines/:lineId': 'for the worker that holds it: worker-calls.test.ts',
  '/worker-calls/:callId/passages': 'for the worker that holds it: worker-calls.test.ts',
  '/worker-calls/:callId/picture-refusal': 'for the worker that holds it: worker-calls.test.ts',
  '/worker-calls/:callId/spending': 'for the worker that holds it: worker-calls.test.ts',
  '/admin/accounts/:id': 'behind the admin password: admin.test.ts',
  '/admin/admins/:id': 'behind the admin password: admins.test.ts',
  '/admin/accounts/:id/deletion': 'behind the admin password: erasure.test.ts',
  '/admin/accounts/:id/usage': 'behind the admin password: admin.test.ts',
  '/admin/accounts/:id/keys': 'behind the admin password: admin.test.ts',
  '/admin/accounts/:id/keys/:keyId': 'behind the admin password: admin.test.ts',
  '/admin/accounts/:id/domains': 'behind the admin password: openid.test.ts',
  '/admin/accounts/:id/domains/:domainId': 'behind the admin password: openid.test.ts',
  '/console/api/browsers/:id': 'of the person who is signed in: sign-in.test.ts',
  '/console/api/speech-models/:id/install': 'for operators only: speech-models.test.ts',
  '/v1/fleet/workers/:id/drain': 'for operators only: fleet-routes.test.ts',
  '/v1/fleet/workers/:id/cordon': 'for operators only: fleet-routes.test.ts',
  '/v1/fleet/workers/:id/resume': 'for operators only: fleet-routes.test.ts',
  '/v1/fleet/workers/:id/log-level': 'for operators only: log-level-routes.test.ts',
  '/v1/fleet/worker-tokens/:id': 'for operators only: fleet-routes.test.ts',
  '/compat/did/v2/agents/:agent_id/sessions/join': 'the id is that of an avatar',
};

let service: BuiltApp;
let strangerHeaders: typeof ownHeaders;
beforeAll(async () => {
  const otherRooms = { agentRooms: new FakeAgentRooms() };
  service = await buildApp({ slots: 200, env: { TROUPE_ADMIN_PASSWORD }, otherRooms });
  strangerHeaders = (await makeAccount(service, 'unlimited')).headers;
});
afterAll(() => service.close());

const ownHeaders = { 'x-api-key': API_KEY };

async function make(path: string, payload: object, headers = ownHeaders): Promise<Ids> {
  const reply = await service.call('POST', path, { payload, headers });
  if (reply.statusCode !== 201) throw new Error(`${path} was not created: ${reply.body}`);
  return { id: reply.json().id };
}

type Ids = { id: string; delivery_id?: string; name?: string };
type Maker = (headers?: typeof ownHeaders) => Promise<Ids>;

const session: Maker = (headers) => make('/v1/sessions', { avatar_id: NORA }, headers);
const agent: Maker = (headers) => make('/v1/agents', { name: 'a', avatar_id: NORA }, headers);
const call: Maker = async (headers) =>
  make('/v1/calls', { agent_id: (await agent(headers)).id }, headers);
const knowledgeFile: Maker = (headers) =>
  make('/v1/knowledge-files', { name: 'a', format: 'text' }, headers);
const externalApi: Maker = (headers) =>
  make(
    '/v1/external-apis',
    { name: 'a', type: 'openai_compatible_llm', url: NOWHERE, api_key: 'k' },
    headers,
  );
const webhook: Maker = async (headers = ownHeaders) => {
  const webhookIds = await make('/v1/webhooks', { url: NOWHERE, events: ['message'] }, headers);
  const path = `/v1/webhooks/${webhookIds.id}/deliveries`;
  const { data } = (await service.call('GET', path, { headers })).json();
  return { ...webhookIds, delivery_id: data[0].id };
};

const playgroundRoom: Maker = async (headers = ownHeaders) => {
  const payload = { agent_name: '' };
  const reply = await service.call('POST', '/v1/playground/rooms', { payload, headers });
  const { name } = reply.json();
  return { id: name, name };
};

/** Invited by `headers`, and joined with the link. */
const person: Maker = async (headers = ownHeaders) => {
  const reply = await service.call('POST', '/v1/invitations', {
    payload: { role: 'viewer' },
    headers,
  });
  const name = `person ${(people += 1)}`;
  const browser = await new Browser(service).join(reply.json().link, name);
  return { id: (await browser.call('GET', '/console/api/me')).json().id };
};
let people = 0;

/** Makers of a resource, keyed by the path before the first id. */
const makers: Record<string, Maker> = {
  '/v1/sessions': session,
  '/v1/session': session,
  '/compat/anva/api/v2/sessions': session,
  '/compat/boson_avatar/sessions': session,
  '/compat/protoface/v1/sessions': session,
  '/compat/runway/v1/realtime_sessions': session,
  '/v1/agents': agent,
  '/v1/agent': agent,
  '/v1/calls': call,
  '/v1/conversations': call,
  '/v1/knowledge-files': knowledgeFile,
  '/v1/external-apis': externalApi,
  '/v1/external-api': externalApi,
  '/v1/webhooks': webhook,
  '/v1/api-keys': (headers) => make('/v1/api-keys', { name: 'a' }, headers),
  '/v1/invitations': (headers) => make('/v1/invitations', { role: 'viewer' }, headers),
  '/v1/people': person,
  '/v1/playground/rooms': playgroundRoom,
};

/** Required input of a route besides the id. */
const requests: Record<string, { body: string | object; type?: string; query?: string }> = {
  'PATCH /v1/agents/:id': { body: { name: 'taken' } },
  'PATCH /v1/agent/:id': { body: { name: 'taken' } },
  'PATCH /v1/external-apis/:id': { body: { name: 'taken' } },
  'PATCH /v1/external-api/:id': { body: { name: 'taken' } },
  'POST /v1/external-apis/:id/check': { body: {} },
  'PATCH /v1/api-keys/:id': { body: { name: 'taken' } },
  'PATCH /v1/people/:id': { body: { role: 'builder' } },
  'POST /v1/playground/rooms/:name/dispatches': { body: { agent_name: '' } },
  'PATCH /v1/sessions/:id': { body: { emotion: 'happy' } },
  'PATCH /v1/webhooks/:id': { body: { description: 'taken' } },
  'PUT /v1/knowledge-files/:id/upload': {
    body: 'taken',
    type: 'application/octet-stream',
    query: '?chunk_number=0',
  },
};

type Route = { method: string; path: string };

const firstPart = (path: string): string => path.slice(0, path.indexOf('/:'));

function makerOf({ path }: Route): Maker {
  const maker = makers[firstPart(path)];
  if (!maker) throw new Error(`no maker for the resource of ${path}`);
  return maker;
}

/** The status, and the body unless it is an endless stream. */
async function send({ method, path }: Route, ids: Ids, headers: Record<string, string>) {
  const { body, type = 'application/json', query = '' } = requests[`${method} ${path}`] ?? {};
  const filled = path.replace(/:(\w+)/g, (_, name: keyof Ids) => ids[name] ?? 'no-such-id');
  const reply = await fetch(`${service.url}${filled}${query}`, {
    method,
    headers: {
      ...headers,
      authorization: `Bearer ${headers['x-api-key']}`,
      ...(body !== undefined && { 'content-type': type }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  if (reply.ok) {
    await reply.body?.cancel();
    return { status: reply.status, text: '' };
  }
  return { status: reply.status, text: await reply.text() };
}

describe("an account's resource", () => {
  test('is not found by another account on any route with an id', async () => {
    const tried = routesOf(service.app.server).filter(
      ({ path }) => path.includes('/:') && !(path in notOwned),
    );
    expect(tried.length).toBeGreaterThan(30);

    const problems: string[] = [];
    for (const route of tried) {
      const name = `${route.method} ${route.path}`;
      const ids = await makerOf(route)();

      const foreign = await send(route, ids, strangerHeaders);
      const ownReply = await send(route, ids, ownHeaders);

      if (foreign.status !== 404) problems.push(`${name}: another account gets ${foreign.status}`);
      if (foreign.text.includes(ids.id)) problems.push(`${name}: another account is told the id`);
      // Otherwise the foreign request may have been refused for another reason.
      if ([401, 403, 404, 405, 415, 422].includes(ownReply.status) || ownReply.status >= 500) {
        problems.push(`${name}: its own account gets ${ownReply.status} ${ownReply.text}`);
      }
    }
    expect(problems).toEqual([]);
  });

  test('is not reachable through a parent resource of another account', async () => {
    const [our, their] = [await webhook(), await webhook(strangerHeaders)];
    const mixed = { id: their.id, ...(our.delivery_id && { delivery_id: our.delivery_id }) };

    const nested = routesOf(service.app.server).filter(({ path }) => path.split('/:').length > 2);
    const tried = nested.filter(({ path }) => !(path in notOwned));

    expect([...new Set(tried.map(({ path }) => path))]).toEqual([
      '/v1/webhooks/:id/deliveries/:delivery_id',
      '/v1/webhooks/:id/deliveries/:delivery_id/redeliver',
    ]);
    for (const route of tried) expect((await send(route, mixed, strangerHeaders)).status).toBe(404);
  });

  test('appears in no list of another account, and its cursor is rejected there', async () => {
    for (const maker of new Set(Object.values(makers))) await maker();
    for (const maker of new Set(Object.values(makers))) await maker();
    const lists = routesOf(service.app.server).filter(
      ({ method, path }) => method === 'GET' && path in makers,
    );
    const foreign = await makeAccount(service, 'unlimited');
    expect(lists.length).toBeGreaterThan(8);

    for (const { path } of lists) {
      const ownBody = (await service.call('GET', `${path}?limit=1`)).json();
      const reply = await service.call('GET', path, { headers: foreign.headers });
      const body = reply.json();

      expect(Array.isArray(ownBody) ? ownBody : ownBody.data, path).not.toHaveLength(0);
      const foreignRows: { id: string }[] = Array.isArray(body) ? body : body.data;
      // The account has the key that asks.
      const leakedRows = foreignRows.filter(({ id }) => id !== foreign.keyId);
      expect(leakedRows, path).toEqual([]);
      if (Array.isArray(ownBody)) continue;
      const cursor = await service.call('GET', `${path}?cursor=${ownBody.next_cursor}`, {
        headers: foreign.headers,
      });
      expect(cursor.statusCode, path).toBe(422);
    }
  });

  test.each([
    {
      what: 'an agent to call',
      path: '/v1/calls',
      by: agent,
      as: (id: string) => ({ agent_id: id }),
    },
    {
      what: 'an agent to perform in a room',
      path: '/v1/mediaserver-rooms',
      by: agent,
      as: (id: string) => ({ agent_id: id }),
    },
    {
      what: 'a knowledge file for an agent',
      path: '/v1/agents',
      by: knowledgeFile,
      as: (id: string) => ({ name: 'a', avatar_id: NORA, knowledge_files: [id] }),
    },
    {
      what: 'an external API for an agent',
      path: '/v1/agents',
      by: externalApi,
      as: (id: string) => ({
        name: 'a',
        avatar_id: NORA,
        llm: { type: 'openai_compatible', api_id: id, model: 'm', temperature: 0.5 },
      }),
    },
  ])('cannot be referenced by another account: $what', async ({ path, by, as }) => {
    const { id } = await by();

    const foreign = await service.call('POST', path, { payload: as(id), headers: strangerHeaders });
    const unknown = await service.call('POST', path, {
      payload: as('00000000-0000-4000-8000-000000000000'),
      headers: strangerHeaders,
    });

    expect([404, 422]).toContain(foreign.statusCode);
    // The answer does not reveal whether it exists.
    expect(foreign.body.replaceAll(id, '')).toBe(
      unknown.body.replaceAll('00000000-0000-4000-8000-000000000000', ''),
    );
  });
});
