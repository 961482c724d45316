import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { API_KEY, buildApp, roomToken, type BuiltApp } from '../../support/api/build-app.ts';
import type { Given, Recorded, Sent } from './recorded/recording.ts';
import { RECORDED, recordedOf } from './recorded/table.ts';
import { SECOND_AVATAR } from '../../support/cast.ts';

/** One slot, so that a leaked lease fails the next test. */
const SLOTS = 1;
const lines: string[] = [];

let service: BuiltApp;
beforeAll(async () => {
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLog({ name: 'test', level: 'trace' }, destination);
  service = await buildApp({ slots: SLOTS, log });
});
afterAll(() => service.close());

const room = { roomJoin: true, room: 'their-room' };
const good: Given = {
  url: 'wss://media.their.example',
  token: await roomToken(room),
  key: API_KEY,
  avatar: SECOND_AVATAR.alias,
  earlier: [],
};
const expired = await roomToken(room, { exp: 1_700_000_000 });

type Spoiled = {
  wrong: string;
  status: number;
  values?: Partial<Given>;
  spoil?: (request: Sent) => Sent;
};

const withBody = (payload: string) => (request: Sent) => ({ ...request, payload });

const typed = (type: string) => (request: Sent) => ({
  ...request,
  headers: { ...request.headers, 'content-type': type },
});

const cut = (request: Sent): Sent => {
  const { payload = '' } = request;
  if (Buffer.isBuffer(payload)) return { ...request, payload: payload.subarray(0, -10) };
  return { ...request, payload: payload.slice(0, -1) };
};

const typeOf = ({ headers }: Sent) => String(headers?.['content-type']);

/** Errors in the first or last call of a session start. */
function spoiledOf(recorded: Recorded): Spoiled[] {
  const [firstCall] = recorded.calls;
  if (!firstCall) return [];
  const request = firstCall(good);
  const isJson = typeOf(request) === 'application/json';
  const isForm = typeOf(request) === 'application/x-www-form-urlencoded';
  const hasPicture = /^\/compat\/(lemonslice|bithuman|hedra)/.test(request.url);
  const limit = hasPicture ? 22 * 1024 * 1024 : 64 * 1024;
  // The first of Simli's two calls has no room.
  const readsRoom = String(request.payload).includes('media.their.example');

  return [
    { wrong: 'no key', status: 401, values: { key: '' } },
    { wrong: 'an unknown key', status: 401, values: { key: 'not-a-key-of-ours' } },
    { wrong: 'no token', status: 422, values: { token: '' } },
    { wrong: 'a token that is not a JWT', status: 422, values: { token: 'hello' } },
    { wrong: 'an expired token', status: 422, values: { token: expired } },
    { wrong: 'a token that is too long', status: 422, values: { token: 'x'.repeat(17_000) } },
    { wrong: 'no address', status: 422, values: { url: '' } },
    {
      wrong: 'an address with another scheme',
      status: 422,
      values: { url: 'ftp://media.example' },
    },
    { wrong: 'an address with a NUL', status: 422, values: { url: 'wss://media.example/\0' } },
    { wrong: 'an unsupported content type', status: 415, spoil: typed('text/plain') },
    { wrong: 'no content type', status: 415, spoil: typed('') },
    { wrong: 'bytes', status: 415, spoil: typed('application/octet-stream') },
    { wrong: 'a body that is too large', status: 413, spoil: withBody('x'.repeat(limit + 1)) },
    ...(isForm ? [] : [{ wrong: 'a truncated body', status: 422, spoil: cut }]),
    ...(isJson && readsRoom
      ? [
          { wrong: 'a list', status: 422, spoil: withBody('[]') },
          { wrong: 'a string', status: 422, spoil: withBody('"hello"') },
        ]
      : []),
    ...(isJson
      ? [
          {
            wrong: 'a poisoned prototype',
            status: 422,
            spoil: withBody('{"__proto__":{"isAdmin":true}}'),
          },
          { wrong: 'a deeply nested body', status: 422, spoil: withBody(deep(50)) },
        ]
      : []),
    ...(readsRoom ? [{ wrong: 'an empty body', status: 422, spoil: withBody('') }] : []),
  ];
}

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

/** Stops at the first refusal. */
async function start({ calls }: Recorded, { values, spoil = (request) => request }: Spoiled) {
  const earlier: Given['earlier'] = [];
  for (const call of calls) {
    const request = spoil(call({ ...good, ...values, earlier }));
    const reply = await service.app.server.inject({ method: 'POST', ...request });
    if (reply.statusCode >= 400) return reply;
    earlier.push(reply.json());
  }
  throw new Error('no call was refused');
}

describe.each(RECORDED)('the start of $of', (recorded) => {
  test.each(spoiledOf(recorded))('with $wrong is refused: $status', async (spoiled) => {
    const reply = await start(recorded, spoiled);

    expect(reply.statusCode, reply.body).toBe(spoiled.status);
    expect(reply.json()).toHaveProperty('detail');
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(reply.body).not.toContain(good.token);
  });
});

describe('a session token', () => {
  const withTokens = RECORDED.filter(({ of }) => /simli|anam 1.8.0/.test(of));

  test.each(withTokens)('of $of is refused after five minutes', async ({ calls }) => {
    const [prepare, open] = calls;
    const prepared = await service.app.server.inject({ method: 'POST', ...prepare!(good) });
    const earlier = [prepared.json()];
    const later = { ...good, earlier, token: await roomToken(room, { exp: 4_000_000_000 }) };

    await service.clock.pass(5 * 60_000 + 1);
    const reply = await service.app.server.inject({ method: 'POST', ...open!(later) });

    expect(reply.statusCode, reply.body).toBe(401);
  });

  test('of one vendor adapter is refused by another', async () => {
    const [anam, simli] = [recordedOf('anam 1.8.0'), recordedOf('simli 1.8.9')];
    const prepared = await service.app.server.inject({ method: 'POST', ...anam.calls[0]!(good) });
    const earlier = [{ session_token: prepared.json().sessionToken }];

    const reply = await service.app.server.inject({
      method: 'POST',
      ...simli.calls[1]!({ ...good, earlier }),
    });

    expect(reply.statusCode).toBe(401);
  });
});

describe('other requests under /compat', () => {
  test.each([
    { method: 'POST', url: '/compat/nobody/sessions', status: 404 },
    { method: 'POST', url: '/compat/tavus', status: 404 },
    { method: 'POST', url: '/compat/lemonslice/1/join-meeting', status: 404 },
    { method: 'GET', url: '/compat/tavus/conversations', status: 405 },
    { method: 'DELETE', url: '/compat/runway/v1/realtime_sessions/%00', status: 404 },
    { method: 'DELETE', url: '/compat/runway/v1/realtime_sessions/none', status: 404 },
    { method: 'DELETE', url: '/compat/runway/v1/realtime_sessions/%E0%A4%A', status: 400 },
  ] as const)('$method $url is $status', async ({ method, url, status }) => {
    const headers = { authorization: `Bearer ${API_KEY}` };

    const reply = await service.app.server.inject({ method, url, headers });

    expect(reply.statusCode, reply.body).toBe(status);
    expect(reply.json()).toHaveProperty('detail');
  });
});

describe('a refused request', () => {
  test('leaves no session and no lease', async () => {
    const listed = await service.call('GET', '/v1/sessions');
    expect(listed.json()).toEqual({ data: [], has_more: false });
    expect(service.workers[0]?.performing.size).toBe(0);

    const token = await roomToken(room, { exp: 4_000_000_000 });
    const call = RECORDED[0]!.calls[0]!({ ...good, token });
    const opened = await service.app.server.inject({ method: 'POST', ...call });
    expect(opened.statusCode, opened.body).toBe(201);
  });

  test('leaves no key and no token in the log', () => {
    const log = lines.join('');

    expect(log).toContain('unused fields');
    for (const secret of [API_KEY, good.token, expired, 'not-a-key-of-ours']) {
      expect(log).not.toContain(secret);
    }
    // Nor a token made here: each JWT starts like this.
    expect(log).not.toContain('eyJ');
  });
});

test('an unknown field is accepted and reported, whatever its name', async () => {
  const ownService = await buildApp();
  const request = RECORDED[0]!.calls[0]!(good);
  const odd = { surprise: 1, 'set-cookie: a\r\nx': 2, ünïcode: 3, ['n'.repeat(100)]: 4 };
  const payload = JSON.stringify({ ...JSON.parse(String(request.payload)), ...odd });

  const reply = await ownService.app.server.inject({ method: 'POST', ...request, payload });

  expect(reply.statusCode, reply.body).toBe(201);
  expect(reply.headers['x-troupe-unused']).toBe('surprise');
  await ownService.close();
});
