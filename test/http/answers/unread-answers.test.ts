import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { fastify } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { blobPath } from '#protocol/worker/blob-path.ts';
import { boundUnreadAnswers } from '../../../src/http/answers/unread-answers.ts';
import { hashOf } from '../../../src/records/blobs.ts';
import { buildApp, WORKER_TOKEN, type BuiltApp } from '../../support/api/build-app.ts';
import { TestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';

let service: BuiltApp;
let socket: Socket;
beforeEach(async () => {
  service = await buildApp({ slots: 0, env: { UNREAD_ANSWERS_MIB: '16' } });
});
afterEach(async () => {
  socket.destroy();
  await service.close();
});

const headers = { authorization: `Bearer ${WORKER_TOKEN}` };

test('large answers that nobody reads are bounded, and small ones get through', async () => {
  const bytes = Buffer.alloc(20 * 1024 ** 2, 1);
  const url = blobPath(hashOf(bytes));
  await service.app.server.inject({ method: 'PUT', url, headers, payload: bytes });
  const connected = once(service.app.server.server, 'connection');
  socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => {});
  const [serverSocket] = (await connected) as [Socket];
  socket.pause();

  // More than the system keeps for a client.
  socket.write(
    `GET ${url} HTTP/1.1\r\nhost: x\r\nauthorization: ${headers.authorization}\r\n\r\n`.repeat(5),
  );
  await until(() => serverSocket.writableLength > 0);
  const [large, small] = [
    await service.app.server.inject({ url, headers }),
    await service.call('GET', '/v1/avatars'),
  ];

  expect([large.statusCode, small.statusCode]).toEqual([503, 200]);
  expect(large.headers['retry-after']).toBe('2');
  expect(large.json()).toMatchObject({ code: 'at_capacity' });
  socket.destroy();
  await until(() => serverSocket.closed);
  const replies = [
    await service.app.server.inject({ url, headers }),
    await service.app.server.inject({ url, headers }),
  ];
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
});

test('the answer to a client that has left takes no bytes', async () => {
  const answer = Buffer.alloc(1024 ** 2);
  const app = fastify({ trustProxy: true });
  boundUnreadAnswers(app, answer.length, new TestClock());
  const ready = new Promise<void>((resolve) => {
    app.addHook('onSend', async (_request, _reply, payload) => {
      resolve();
      return payload;
    });
  });
  app.get('/at-once', async () => answer);
  app.get('/after-its-client', async (_request, reply) => {
    const closed = once(reply.raw, 'close');
    socket.destroy();
    await closed;
    return answer;
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('GET /after-its-client HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 192.0.2.1\r\n\r\n');
  await ready;

  const reply = await app.inject('/at-once');

  expect(reply.statusCode).toBe(200);
  await app.close();
});
