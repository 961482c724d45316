/* Requests with credentials of two callers, which parts of a service may read differently. */
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BOTROOM_PROTOCOL } from '#protocol/botroom/records.ts';
import { WebSocket } from 'ws';
import { makeAccount, TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { Browser } from '../../support/api/browser.ts';
import { API_KEY, buildApp, WORKER_TOKEN, type BuiltApp } from '../../support/api/build-app.ts';
import { rawAnswer } from '../../support/api/raw-answer.ts';
import { startRelay } from '../../support/botrooms/relay-server.ts';

let service: BuiltApp;
let otherKey: string;
beforeAll(async () => {
  service = await buildApp({ env: { TROUPE_ADMIN_PASSWORD } });
  otherKey = (await makeAccount(service, 'unlimited')).headers['x-api-key'];
});
afterAll(() => service.close());

const ask = (url: string, headers: Record<string, string>, method: 'GET' | 'POST' = 'GET') =>
  service.app.server.inject({ method, url, headers, ...(method === 'POST' && { payload: {} }) });

const AMBIGUOUS = {
  code: 'credentials_ambiguous',
  advice: expect.stringContaining('Send one key'),
};

describe('different keys in two headers are refused', () => {
  test.each<{ at: string; method?: 'POST' }>([
    { at: '/v1/sessions' },
    { at: '/v1/avatars' },
    { at: '/v1/avatar' },
    { at: '/v1/fleet/workers' },
    { at: '/metrics' },
    { at: '/admin/accounts' },
    { at: '/page-token', method: 'POST' },
    { at: '/compat/tavus/conversations', method: 'POST' },
    { at: '/compat/keyframe/v1/sessions/plugins/livekit', method: 'POST' },
  ])('at $at', async ({ at, method }) => {
    const reply = await ask(
      at,
      { 'x-api-key': API_KEY, authorization: `Bearer ${otherKey}` },
      method,
    );

    expect(reply.statusCode, reply.body).toBe(401);
    expect(reply.json()).toMatchObject(AMBIGUOUS);
  });

  test('the right admin password beside a key', async () => {
    const authorization = `Bearer ${TROUPE_ADMIN_PASSWORD}`;

    const reply = await ask('/admin/accounts', { 'x-api-key': API_KEY, authorization });

    expect(reply.statusCode).toBe(401);
  });

  test('a worker token beside a key', async () => {
    const headers = { 'x-api-key': API_KEY, authorization: `Bearer ${WORKER_TOKEN}` };

    expect((await ask('/worker-blobs/x', headers)).json()).toMatchObject(AMBIGUOUS);
  });

  test('one that is unknown beside a good one', async () => {
    const headers = { 'x-api-key': API_KEY, authorization: 'Bearer nobody-has-this-key' };

    expect((await ask('/v1/auth/verify', headers)).json()).toMatchObject(AMBIGUOUS);
  });

  test('two Authorization headers, of which Node keeps the first', async () => {
    const bothHeaders = [API_KEY, otherKey]
      .map((key) => `authorization: Bearer ${key}\r\n`)
      .join('');

    const answer = await rawAnswer(
      service.url,
      `GET /v1/auth/verify HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${bothHeaders}\r\n`,
    );

    expect(answer).toMatch(/^HTTP\/1.1 401 .*credentials_ambiguous/s);
  });

  test.each([
    { door: 'simli', url: '/compat/simli/compose/token', header: 'x-simli-api-key' },
    { door: 'bithuman', url: '/compat/bithuman/', header: 'api-secret' },
  ])('the header of $door beside ours', async ({ url, header }) => {
    const reply = await ask(url, { [header]: otherKey, 'x-api-key': API_KEY }, 'POST');

    expect(reply.json()).toMatchObject(AMBIGUOUS);
  });
});

describe('the same key twice is fine', () => {
  test.each([
    { authorization: `Bearer ${API_KEY}` },
    { authorization: `bearer  ${API_KEY}` },
    { authorization: 'Basic dXNlcjpwYXNz' },
    { authorization: '' },
  ])('beside $authorization', async (headers) => {
    const reply = await ask('/v1/auth/verify', { 'x-api-key': API_KEY, ...headers });

    expect(reply.statusCode).toBe(204);
  });
});

describe('a key beside what a browser has', () => {
  test('a page token is refused', async () => {
    const headers = { authorization: `Bearer ${TROUPE_ADMIN_PASSWORD}` };
    const { token } = (await ask('/page-token', headers, 'POST')).json();

    const reply = await ask('/v1/avatars', { 'x-api-key': API_KEY, 'x-page-token': token });

    expect(reply.json()).toMatchObject(AMBIGUOUS);
  });

  test('a sign-in counts for its own account only', async () => {
    const open = await buildApp();
    const browser = await new Browser(open).openHere();
    const key = await open.strangerKey();
    const statusOf = async (apiKey: string) => {
      const headers = { 'x-api-key': apiKey, cookie: browser.cookie ?? '' };
      const reply = await open.app.server.inject({ url: '/v1/auth/verify', headers });
      return [reply.statusCode, reply.body && reply.json().code];
    };

    expect([await statusOf(API_KEY), await statusOf(key)]).toEqual([
      [204, ''],
      [401, 'credentials_ambiguous'],
    ]);
    await open.close();
  });
});

test('a socket with two different tokens is refused', async () => {
  const server = await startRelay();
  const [room, otherRoom] = [await server.relay.create(), await server.relay.create()];
  const socket = new WebSocket(
    `${server.url.replace('http', 'ws')}${room.path}`,
    [BOTROOM_PROTOCOL, otherRoom.clientToken],
    { headers: { authorization: `Bearer ${room.clientToken}` } },
  );

  const [error] = (await once(socket, 'error')) as [Error];

  expect(error.message).toContain('401');
  await server.close();
});
