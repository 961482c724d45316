import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { noteInstalling } from '#shared/process/speech-installs.ts';
import { makeAccount, TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { addAgent } from '../../support/api/agent.ts';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { until } from '../../support/until.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';

let service: BuiltApp;
let agentId: string;

async function start(options: Parameters<typeof buildApp>[0] = {}): Promise<void> {
  service = await buildApp(options);
  agentId = (await addAgent(service, { language: 'de' })).id;
}
beforeEach(() => start());
afterEach(() => service.close());

/** Request of the room page, without a key. */
const ask = (
  method: 'GET' | 'POST' | 'DELETE' | 'OPTIONS',
  path: string,
  options: { headers?: Record<string, string>; payload?: object; remoteAddress?: string } = {},
) => service.app.server.inject({ method, url: `/v1/chat${path}`, ...options });
const open = (payload: object = {}, remoteAddress = '203.0.113.1') =>
  ask('POST', `/${agentId}/calls`, { payload, remoteAddress });
const factsOf = async (id: string) => (await ask('GET', `/${id}`)).json();
const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

async function opened() {
  const call = (await open()).json<{ id: string; room_url: string; room_token: string }>();
  return { ...call, path: `/${agentId}/calls/${call.id}`, user: as(call.room_token) };
}

describe('the agent of a chat room', () => {
  test('is public, reduced to its public fields', async () => {
    const reply = await ask('GET', `/${agentId}`);

    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toEqual({
      name: 'Receptionist',
      language: 'de',
      avatar: { id: NORA, picture: expect.stringMatching(`/avatars/${NORA}/picture$`) },
      hears: false,
      hears_soon: false,
      sees: false,
      ai_label: true,
      appearance: { accent_color: null, logo: null, welcome_text: null },
    });
  });

  test('recognizes speech through its own endpoint, the service’s, or a worker of its owner’s pool', async () => {
    const hears = async () => (await ask('GET', `/${agentId}`)).json().hears;
    expect(await hears()).toBe(false);

    await service.joinAgent({ abilities: ['hears'], pool: 'elsewhere' });
    expect(await hears()).toBe(false);
    await service.joinAgent({ abilities: ['hears:fr'] });
    expect(await hears()).toBe(false);
    await service.joinAgent({ abilities: ['hears:de'] });
    expect(await hears()).toBe(true);

    await service.close();
    await start({ env: { OPENAI_API_KEY: 'sk-ours' } });
    expect(await hears()).toBe(true);
    await service.close();
    await start();
    const payload = { type: 'openai_compatible_stt', name: 'Ears', url: 'https://x', api_key: 'k' };
    const { id: apiId } = (await service.call('POST', '/v1/external-apis', { payload })).json();
    const stt = { type: 'openai_compatible', apiId, model: 'ears' } as const;
    agentId = (await addAgent(service, { stt })).id;
    expect(await hears()).toBe(true);
  });

  test('hears soon if its language is being installed', async () => {
    const { id } = await addAgent(service, { language: 'en-GB' });
    await noteInstalling(service.place.env.DATA_DIR, ['speech_recognition']);

    expect(await factsOf(id)).toMatchObject({ hears: false, hears_soon: true });
    expect(await factsOf(agentId)).toMatchObject({ hears: false, hears_soon: false });
    await service.joinAgent({ abilities: ['hears:en'] });
    expect(await factsOf(id)).toMatchObject({ hears: true, hears_soon: false });
  });

  test.each([NOBODY, 'nobody', '%00'])('is not found for %s', async (id) => {
    const readReply = await ask('GET', `/${id}`);
    const called = await ask('POST', `/${id}/calls`, { payload: {} });

    expect([readReply.statusCode, called.statusCode]).toEqual([404, 404]);
  });

  test('has no AI label if the operator disables it', async () => {
    await service.close();
    await start({ env: { CHAT_AI_LABEL: 'off' } });

    expect((await ask('GET', `/${agentId}`)).json()).toMatchObject({ ai_label: false });
  });
});

describe('a call from the chat room', () => {
  test('belongs to the agent’s owner and returns the user’s credentials', async () => {
    const reply = await open({ user_name: 'Zoë' });

    expect(reply.statusCode).toBe(201);
    expect(reply.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      room_url: 'wss://media.example',
      room_token: 'viewer of room-1',
    });
    const call = await service.call('GET', `/v1/calls/${reply.json().id}`);
    expect(call.json()).toMatchObject({ agent_id: agentId, user_name: 'Zoë' });
  });

  test('can be read by its user, with its messages', async () => {
    const { id, path, user } = await opened();

    const reply = await ask('GET', path, user);

    expect(reply.json()).toEqual({
      id,
      status: { type: 'to_start' },
      end_reason: null,
      messages: [],
      room_token: `user-${id} of room-1, renewal 1`,
    });
    expect(reply.headers['cache-control']).toBe('no-store');
  });

  test('gives its user no room token after its end', async () => {
    const { path, user } = await opened();

    await ask('DELETE', path, user);

    expect((await ask('GET', path, user)).json()).toMatchObject({
      status: { type: 'completed' },
      room_token: null,
    });
  });

  test('ends when its user leaves; leaving again changes nothing', async () => {
    const { path, user } = await opened();

    const endReply = await ask('DELETE', path, user);
    const repeatReply = await ask('DELETE', path, user);

    expect([endReply.statusCode, repeatReply.statusCode]).toEqual([204, 204]);
    await until(async () => (await ask('GET', path, user)).json().status.type === 'completed');
    expect((await ask('GET', path, user)).json()).toMatchObject({ end_reason: 'ended_by_client' });
  });

  test('stays available to its user after the agent is deleted', async () => {
    const { path, user } = await opened();

    await service.call('DELETE', `/v1/agents/${agentId}`);

    expect((await ask('GET', path, user)).statusCode).toBe(200);
  });

  test.each(['GET', 'DELETE'] as const)('is refused to everyone else: %s', async (method) => {
    const { path } = await opened();
    const otherCall = await opened();
    const elsewhere = (await addAgent(service)).id;

    const without = await ask(method, path);
    const wrong = await ask(method, path, as('nobody'));
    const foreign = await ask(method, path, otherCall.user);
    const key = await ask(method, path, as('key-of-the-first-account'));
    const otherAgent = await ask(method, path.replace(agentId, elsewhere), otherCall.user);

    expect([without, wrong, foreign, key].map(({ statusCode }) => statusCode)).toEqual([
      401, 401, 401, 401,
    ]);
    expect(otherAgent.statusCode).toBe(404);
    expect((await ask('GET', otherCall.path, otherCall.user)).json().status.type).toBe('to_start');
  });

  test('accepts an optional user name that the database can store', async () => {
    const tooLong = await open({ user_name: 'x'.repeat(201) });
    const nul = await open({ user_name: 'a\0b' });

    expect([tooLong.statusCode, nul.statusCode]).toEqual([422, 422]);
  });
});

describe('calls from the chat room', () => {
  test('are limited per address and agent', async () => {
    await service.close();
    await start({ env: { CHAT_CALLS_PER_HOUR: '2' } });
    const otherAgentId = (await addAgent(service)).id;

    const accepted = [await open(), await open()];
    const refused = await open();
    const [elsewhere, otherAgent] = [
      await open({}, '203.0.113.9'),
      await ask('POST', `/${otherAgentId}/calls`, { payload: {}, remoteAddress: '203.0.113.1' }),
    ];

    expect(accepted.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
    expect(refused.statusCode).toBe(429);
    expect(refused.json().detail).toContain('2 calls per hour');
    expect(refused.headers['retry-after']).toBe('3600');
    expect([elsewhere.statusCode, otherAgent.statusCode]).toEqual([201, 201]);
  });

  test('are limited at the same time, by address and by agent', async () => {
    await service.close();
    await start({ env: { CHAT_CALLS_PER_ADDRESS: '1', CHAT_CALLS_PER_AGENT: '2' } });

    const [firstReply, secondReply] = [await open(), await open()];
    const [otherReply, full] = [await open({}, '203.0.113.9'), await open({}, '203.0.113.8')];
    const { id, room_token: token } = firstReply.json();
    await ask('DELETE', `/${agentId}/calls/${id}`, as(token));
    const repeatReply = await open();

    const replies = [firstReply, secondReply, otherReply, full, repeatReply];
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([201, 429, 201, 429, 201]);
    expect(secondReply.json().detail).toContain('1 calls may be open from one address');
    expect(full.json().detail).toContain('2 visitors may call one agent');
  });

  test('without a free avatar get Retry-After and do not count', async () => {
    await service.close();
    await start({ slots: 0, agentSlots: 5, env: { CHAT_CALLS_PER_HOUR: '1', SLOT_WAIT_MS: '0' } });

    const full = [await open(), await open(), await open()];
    await service.join({ slots: 5 });
    const accepted = await open();

    expect(full.map(({ statusCode }) => statusCode)).toEqual([503, 503, 503]);
    expect(Number(full[0]?.headers['retry-after'])).toBeGreaterThan(0);
    expect(accepted.statusCode).toBe(201);
  });

  test('count against the owner’s plan', async () => {
    await service.close();
    await start({ env: { TROUPE_ADMIN_PASSWORD } });
    const { id: accountId } = await makeAccount(service, 'free');
    agentId = (await addAgent(service, { accountId })).id;

    const [firstReply, secondReply] = [await open(), await open({}, '203.0.113.9')];

    expect([firstReply.statusCode, secondReply.statusCode]).toEqual([201, 429]);
    expect(secondReply.json().detail).toContain('concurrency limit');
  });

  test('are refused at once from an address over the request limit', async () => {
    await service.close();
    await start({ env: { REQUESTS_PER_MINUTE: '1' } });

    const statuses: number[] = [];
    for (let i = 0; i < 7; i++) statuses.push((await ask('GET', `/${agentId}`)).statusCode);

    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  });
});

const preflight = (from: string) =>
  ask('OPTIONS', `/${agentId}/calls`, {
    headers: { origin: from, 'access-control-request-method': 'POST' },
  });

const allowed = async (from: string) =>
  (await preflight(from)).headers['access-control-allow-origin'];

describe('pages of other origins', () => {
  const origin = 'https://somebody.example';

  test('cannot open calls from the addresses of their visitors', async () => {
    const [preflightReply, readReply] = [
      await preflight(origin),
      await ask('GET', `/${agentId}`, { headers: { origin } }),
    ];

    expect(preflightReply.headers).not.toHaveProperty('access-control-allow-origin');
    expect(readReply.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('can open calls if the owner of the agent allows them', async () => {
    const body = { allowed_origins: ['https://Somebody.example/', 'https://*.shop.example:8443'] };
    await service.call('PATCH', `/v1/agents/${agentId}`, { payload: body });

    expect(await allowed(origin)).toBe(origin);
    expect(await allowed('https://a.b.shop.example:8443')).toBe('https://a.b.shop.example:8443');
    expect(await allowed('http://somebody.example')).toBeUndefined();
    expect(await allowed('https://shop.example:8443')).toBeUndefined();
    expect(await allowed('https://a.shop.example')).toBeUndefined();
    expect(await allowed('null')).toBeUndefined();
    // Until then, a browser remembers that an origin may open calls.
    expect((await preflight(origin)).headers['access-control-max-age']).toBe('600');
    const read = await ask('GET', `/${agentId}`, { headers: { origin } });
    expect(read.headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' });
    expect(String(read.headers['access-control-expose-headers'])).toContain('retry-after');
  });

  test('are refused as often as requests of strangers are', async () => {
    await service.close();
    await start({ env: { REQUESTS_PER_MINUTE: '1' } });

    const statuses: number[] = [];
    for (let i = 0; i < 6; i++) statuses.push((await preflight(origin)).statusCode);

    expect(statuses.at(-1)).toBe(429);
  });

  test('can open calls as the room page under CHAT_URL', async () => {
    await service.close();
    await start({
      env: { PUBLIC_URL: 'https://api.example', CHAT_URL: 'https://chat.example' },
    });

    const [ownReply, foreign] = [await preflight('https://chat.example'), await preflight(origin)];

    expect(ownReply.headers['access-control-allow-origin']).toBe('https://chat.example');
    expect(String(ownReply.headers['access-control-allow-headers'])).toContain('authorization');
    expect(foreign.headers).not.toHaveProperty('access-control-allow-origin');
  });
});
