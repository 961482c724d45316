import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { GATEWAY_PATH } from '#protocol/worker/gateway-path.ts';
import { withoutExtraSlashes } from '#shared/network/extra-slashes.ts';
import { buildApp, NORA, WORKER_TOKEN, type BuiltApp } from '../../support/api/build-app.ts';
import { rawAnswer } from '../../support/api/raw-answer.ts';

let service: BuiltApp;
beforeAll(async () => void (service = await buildApp()));
afterAll(() => service.close());

test.each([
  ['//v1/sessions', '/v1/sessions'],
  ['/v1///sessions//?a=//b', '/v1/sessions/?a=//b'],
  ['http://troupe.example//v1//avatars', 'http://troupe.example/v1/avatars'],
  ['/v1/avatars?next=https://a', '/v1/avatars?next=https://a'],
  ['/v1/avatars/%2F%2F', '/v1/avatars/%2F%2F'],
  ['//', '/'],
  ['*', '*'],
])('%s is read as %s', (target, read) => {
  expect(withoutExtraSlashes(target)).toBe(read);
});

describe('extra slashes make no difference', () => {
  test.each([
    '//v1/avatars',
    '/v1//avatars',
    '/v1/avatars//',
    `/v1/avatars//${NORA}`,
    `//v1//avatars///${NORA}//?a=b`,
    '//v1/avatar',
    '//openapi.json',
    '//healthz',
    '//docs/api/console',
  ])('in %s', async (url) => {
    expect((await service.call('GET', url)).statusCode).toBe(200);
  });

  test.each(['//v1/sessions', '/v1//sessions', '/v1/sessions//'])(
    'when a session is created: %s',
    async (url) => {
      const reply = await service.call('POST', url, { payload: { avatar_id: NORA } });

      expect(reply.statusCode, reply.body).toBe(201);
    },
  );

  test.each([
    '/compat/tavus//conversations',
    '//compat/tavus/conversations',
    '/compat//hedra//',
    '/compat/simli//compose/token',
    '/compat/keyframe//v1/sessions/plugins/livekit',
  ])('at a vendor door: %s', async (url) => {
    const [reply, plain] = await Promise.all(
      [url, url.replaceAll(/\/+/g, '/')].map((each) => service.call('POST', each, { payload: {} })),
    );

    expect(reply!.statusCode).not.toBe(404);
    expect([reply!.statusCode, reply!.json()]).toEqual([plain!.statusCode, plain!.json()]);
  });

  test('in an absolute target', async () => {
    const head = 'host: x\r\nconnection: close\r\n\r\n';

    const answer = await rawAnswer(service.url, `GET http://x//healthz HTTP/1.1\r\n${head}`);

    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });

  test('in the address of a socket', async () => {
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/${GATEWAY_PATH}`, {
      headers: { authorization: `Bearer ${WORKER_TOKEN}` },
    });
    await once(socket, 'open');
    socket.terminate();
  });

  test('a deprecated path is marked all the same, and the chat is closed to other origins', async () => {
    const [deprecated, chat] = [
      await service.call('GET', '//v1//avatar'),
      await service.call('GET', '//v1//chat/some-agent', {
        headers: { origin: 'https://somebody.example' },
      }),
    ];

    expect(deprecated.headers).toHaveProperty('deprecation');
    expect(chat.headers).not.toHaveProperty('access-control-allow-origin');
  });
});
