import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp, NORA, roomToken, type BuiltApp } from '../../../support/api/build-app.ts';
import { FIRST_AVATAR } from '../../../support/cast.ts';

let service: BuiltApp;
beforeAll(async () => {
  service = await buildApp();
});
afterAll(() => service.close());

const url = 'wss://media.their.example';
const room = { roomJoin: true, room: 'their-room' };
const good = await roomToken();
const notYetKnown = '00000000-0000-4000-8000-000000000000';
const NO_KEY = { 'x-api-key': '' };

type Case = {
  wrong: string;
  method?: 'GET' | 'POST' | 'DELETE';
  path?: string;
  headers?: Record<string, string>;
  /** An object is sent as JSON, a string unchanged. */
  body?: unknown;
  status: number;
  /** `loc` of the expected problem; without it the detail is a string. */
  loc?: (string | number)[];
  says?: string | RegExp;
};

const session = (fields: object) => ({ avatar_id: NORA, url, token: good, ...fields });

const badBody = (wrong: string, body: unknown, loc: string[], says?: Case['says']): Case => ({
  wrong,
  body,
  status: 422,
  loc: ['body', ...loc],
  ...(says && { says }),
});

/** A valid body except for these fields. */
const badField = (wrong: string, fields: object, loc: string[], says?: Case['says']) =>
  badBody(wrong, session(fields), loc, says);

async function badToken(wrong: string, says: RegExp, grant: object, claims: object = {}) {
  return badField(wrong, { token: await roomToken({ ...grant }, { ...claims }) }, ['token'], says);
}

const bot = 'wss://bot.example/ws';
const badBot = (wrong: string, fields: object, loc: string[], says?: Case['says']) =>
  badBody(
    `a botroom with ${wrong}`,
    { avatar_id: NORA, transport: 'botroom', ...fields },
    loc,
    says,
  );

const badQuery = (wrong: string, path: string, name: string): Case => ({
  wrong,
  method: 'GET',
  path,
  status: 422,
  loc: ['query', name],
});

const unknown = (wrong: string, path: string): Case => ({
  wrong,
  method: 'GET',
  path,
  status: 404,
  says: 'The requested resource was not found.',
});

const cases: Case[] = [
  // Authentication.
  { wrong: 'no key', headers: NO_KEY, status: 401, says: 'API key is required.' },
  {
    wrong: 'an unknown key',
    headers: { 'x-api-key': 'not-a-key-of-ours' },
    status: 401,
    says: 'Invalid API key.',
  },
  { wrong: 'a key with an extra space', headers: { 'x-api-key': 'a b' }, status: 401 },
  {
    wrong: 'no key and an invalid body',
    headers: NO_KEY,
    body: '{',
    status: 401,
    says: 'API key is required.',
  },
  {
    wrong: 'no key for a key check',
    method: 'GET',
    path: '/v1/auth/verify',
    headers: NO_KEY,
    status: 401,
  },
  {
    wrong: 'a forged page token',
    headers: { ...NO_KEY, 'x-page-token': '99999999999999.AAAA' },
    status: 401,
  },
  {
    wrong: 'a page token on a route not open to pages',
    method: 'GET',
    path: '/v1/auth/verify',
    headers: { ...NO_KEY, 'x-page-token': '99999999999999.AAAA' },
    status: 401,
    says: 'API key is required.',
  },

  // The body as a whole.
  { wrong: 'truncated JSON', body: '{"avatar_id":', status: 422, loc: ['body'] },
  { wrong: 'no body', body: '', status: 422, loc: ['body'], says: 'Field required' },
  { wrong: 'a list', body: [], status: 422, loc: ['body'] },
  { wrong: 'a text', body: '"hello"', status: 422, loc: ['body'] },
  { wrong: 'null', body: 'null', status: 422, loc: ['body'] },
  {
    wrong: 'a form',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `avatar_id=${FIRST_AVATAR.alias}`,
    status: 415,
    says: /application\/json/,
  },
  {
    wrong: 'a body that is too large',
    body: session({ metadata: { much: 'x'.repeat(70_000) } }),
    status: 413,
  },
  {
    wrong: 'deeply nested brackets',
    body: '['.repeat(30_000) + ']'.repeat(30_000),
    status: 422,
    loc: ['body'],
    says: /deep/,
  },
  {
    wrong: 'a poisoned prototype',
    body: '{"__proto__":{"a":1}}',
    status: 422,
    loc: ['body', '__proto__'],
  },

  // Fields of the body.
  {
    wrong: 'no avatar',
    body: { url, token: good },
    status: 422,
    loc: ['body', 'avatar_id'],
    says: 'Field required',
  },
  badField('an avatar by number', { avatar_id: 5 }, ['avatar_id']),
  badField('an avatar null', { avatar_id: null }, ['avatar_id']),
  badField('an empty avatar', { avatar_id: '' }, ['avatar_id']),
  { wrong: 'an unknown avatar', body: session({ avatar_id: notYetKnown }), status: 404 },
  badField('an unknown transport', { transport: 'pigeon' }, ['transport']),
  {
    wrong: 'botroom at the older path',
    path: '/v1/session',
    body: { avatar_id: NORA, transport: 'botroom' },
    status: 422,
    loc: ['body', 'transport'],
    says: /POST \/v1\/sessions/,
  },
  {
    wrong: 'the published Pipecat client',
    body: { avatar_id: NORA, transport_type: 'pipecat', pipecat_url: url, pipecat_token: 'x' },
    status: 422,
    loc: ['body', 'transport_type'],
    says: /"botroom".*\/compat/,
  },
  badField('a video of a width only', { video: { width: 1280 } }, ['video', 'height'], /required/),
  badField('a video of an odd size', { video: { width: 1281, height: 720 } }, ['video', 'width']),
  badField('a video that is too small', { video: { width: 254, height: 512 } }, ['video', 'width']),
  badField('a video that is too large', { video: { width: 512, height: 1922 } }, [
    'video',
    'height',
  ]),
  badField(
    'a video that is too narrow',
    { video: { width: 256, height: 1200 } },
    ['video', 'width'],
    /4 times/,
  ),
  badField(
    'a video of a name and a size',
    { video: { preset: 'portrait', width: 720, height: 1280 } },
    ['video', 'preset'],
    /Either/,
  ),
  badField('a video of an unknown name', { video: { preset: 'round' } }, ['video', 'preset']),
  badField('a video at 60 frames per second', { video: { fps: 60 } }, ['video', 'fps']),
  badField('a framing of an unknown name', { video: { framing: 'far' } }, ['video', 'framing']),
  badField('a framing without a head', { video: { framing: { x: 0.5, y: 0.5 } } }, [
    'video',
    'framing',
    'head',
  ]),
  badField(
    'a background that nobody knows',
    { video: { background: 'beach' } },
    ['video', 'background'],
    /office/,
  ),
  badField('a video as text', { video: '512x512' }, ['video']),
  badField('a width as text', { video: { width: '512' } }, ['video', 'width']),
  badField('a length of nothing', { max_session_length_minutes: 0 }, [
    'max_session_length_minutes',
  ]),
  badField('a length of half a minute', { max_session_length_minutes: 1.5 }, [
    'max_session_length_minutes',
  ]),
  badField('a length without end', { max_session_length_minutes: 1e9 }, [
    'max_session_length_minutes',
  ]),
  badField('metadata with a number', { metadata: { count: 1 } }, ['metadata', 'count']),
  badField('metadata with a number under two lines', { metadata: { 'a\nb': 1 } }, [
    'metadata',
    'a\nb',
  ]),
  badField('metadata as a list', { metadata: ['a'] }, ['metadata']),
  {
    wrong: 'an Idempotency-Key with invalid characters',
    headers: { 'idempotency-key': 'a b' },
    body: session({}),
    status: 422,
    loc: ['header', 'idempotency-key'],
  },
  {
    wrong: 'an Idempotency-Key that is too long',
    headers: { 'idempotency-key': 'k'.repeat(300) },
    body: session({}),
    status: 422,
    loc: ['header', 'idempotency-key'],
  },

  // The room.
  badBody('a url without a token', { avatar_id: NORA, url }, ['token'], 'Field required'),
  badBody('a token without a url', { avatar_id: NORA, token: good }, ['url']),
  badBody('an older url without its token', { avatar_id: NORA, livekit_url: url }, [
    'livekit_token',
  ]),
  badField('a url that is none', { url: 'media' }, ['url']),
  badField(
    'a url with another scheme',
    { url: 'ftp://media.example' },
    ['url'],
    /ws, wss, http or https/,
  ),
  badField('a url with a password', { url: 'wss://a:b@media.example' }, ['url']),
  badField('a token that is not a JWT', { token: 'hello' }, ['token'], /not a JWT/),
  badField('a token of three words', { token: 'a.b.c' }, ['token'], /not a JWT/),
  badField('a token that is too long', { token: 'x'.repeat(20_000) }, ['token']),
  await badToken('an expired token', /expired/, room, { exp: 1_700_000_000 }),
  badField('a token without grants', { token: await roomToken({}, { video: undefined }) }, [
    'token',
  ]),
  await badToken('a token that may not join', /roomJoin/, { room: 'their-room' }),
  await badToken('a token without a room', /no room/, { roomJoin: true }),
  await badToken('a token that may not publish', /canPublish/, { ...room, canPublish: false }),
  {
    wrong: 'an expired token under its older name',
    path: '/v1/session',
    body: { avatar_id: NORA, livekit_url: url, livekit_token: await roomToken(room, { exp: 1 }) },
    status: 422,
    loc: ['body', 'livekit_token'],
  },

  // The bot.
  badBot('a token without a url', { token: 'a key' }, ['url'], /the bot at this address/),
  badBot('a url that is none', { url: 'bot' }, ['url'], /not a URL/),
  badBot('a url with http', { url: 'https://bot.example/ws' }, ['url'], /ws or wss/),
  badBot('a url with a password', { url: 'wss://a:b@bot.example' }, ['url'], /password/),
  badBot('a url with a fragment', { url: 'wss://bot.example/#a' }, ['url'], /fragment/),
  badBot('a url that is too long', { url: `wss://bot.example/${'x'.repeat(2048)}` }, ['url']),
  badBot('a private address', { url: 'wss://192.168.0.7/ws' }, ['url'], /private/),
  badBot('a token of two lines', { url: bot, token: 'a\nb' }, ['token'], /ASCII/),
  badBot('an empty token', { url: bot, token: '' }, ['token']),
  badBot('a room by its older names', { livekit_url: url }, ['livekit_url'], /"mediaserver"/),
  badBot('an older room token', { livekit_token: good }, ['livekit_token'], /"mediaserver"/),
  badBot('the transport type', { transport_type: 'botroom' }, ['transport_type'], /\/compat/),

  // Lists and single resources.
  badQuery('a page of none', '/v1/sessions?limit=0', 'limit'),
  badQuery('a page of 51', '/v1/sessions?limit=51', 'limit'),
  badQuery('a page of many', '/v1/sessions?limit=many', 'limit'),
  badQuery('an infinite page limit', '/v1/sessions?limit=1e999', 'limit'),
  badQuery('two limits', '/v1/sessions?limit=1&limit=2', 'limit'),
  badQuery('half a limit', '/v1/avatars?limit=1.5', 'limit'),
  badQuery('a cursor of nobody', '/v1/sessions?cursor=abc', 'cursor'),
  badQuery('a cursor of another list', '/v1/avatars?cursor=MTc2NzI2ODgwMDAwMDow', 'cursor'),
  unknown('an unknown session', `/v1/sessions/${notYetKnown}`),
  unknown('a malformed session id', "/v1/sessions/'%20or%201=1"),
  { wrong: 'ending an unknown session', path: `/v1/sessions/${notYetKnown}/end`, status: 404 },
  unknown('an unknown avatar by id', '/v1/avatars/nobody'),
  unknown('a picture of nobody', '/avatars/nobody/picture'),

  // Unknown resources.
  unknown('an unknown path', '/v1/nothing'),
  unknown('a path without end', `/v1/sessions/${'x'.repeat(3000)}`),
  {
    wrong: 'a malformed path',
    method: 'GET',
    path: '/v1/sessions/%E0%A4%A',
    status: 400,
  },
  {
    wrong: 'an unsupported method',
    method: 'DELETE',
    path: '/v1/sessions',
    status: 405,
  },
];

describe('bad input', () => {
  test.each(cases)('$wrong: $status', async (input) => {
    const reply = await send(input);

    expect(reply.statusCode).toBe(input.status);
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    const { detail } = reply.json<{ detail: unknown }>();
    if (input.loc) {
      const problem = { type: expect.any(String), msg: expect.any(String), input: anyInput };
      expect(detail).toEqual([{ ...problem, loc: input.loc }]);
    } else {
      expect(detail).toEqual(expect.any(String));
    }
    if (input.says) expect(JSON.stringify(detail)).toMatch(asPattern(input.says));
  });

  test('adds context keys next to the detail', async () => {
    const reply = await send({ wrong: '', body: session({ avatar_id: 'nobody' }), status: 404 });

    expect(reply.json()).toMatchObject({
      detail: 'The requested resource was not found.',
      avatar_id: 'nobody',
    });
  });

  test('reports all problems at once', async () => {
    const reply = await send({
      wrong: '',
      body: session({ url: 'ftp://x', token: 'none' }),
      status: 422,
    });

    const locs = reply.json<{ detail: { loc: string[] }[] }>().detail.map(({ loc }) => loc);
    expect(locs).toEqual([
      ['body', 'url'],
      ['body', 'token'],
    ]);
  });

  test.each(['PUT', 'QUERY'])('ignores the body of an unsupported method: %s', async (method) => {
    const reply = await send({ wrong: '', method: method as 'GET', body: '{', status: 405 });

    expect(reply.statusCode).toBe(405);
  });

  test('lists the supported methods of a path in Allow', async () => {
    const reply = await send({ wrong: '', method: 'DELETE', path: '/v1/sessions', status: 405 });

    expect(String(reply.headers.allow).split(', ').sort()).toEqual(['GET', 'HEAD', 'POST']);
  });

  test('opens no session', async () => {
    const listed = await service.call('GET', '/v1/sessions');

    expect(listed.json()).toEqual({ data: [], has_more: false });
  });
});

const anyInput = expect.toSatisfy(() => true);

const asPattern = (says: string | RegExp) =>
  says instanceof RegExp ? new RegExp(says.source.replaceAll('"', '\\\\"')) : says;

function send({ method = 'POST', path = '/v1/sessions', headers, body }: Case) {
  const payload = body as InjectOptions['payload'];
  return service.call(method, path, {
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(payload !== undefined && { payload }),
  });
}
