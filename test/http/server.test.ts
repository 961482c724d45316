import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { API_KEY, buildApp, NORA, type BuiltApp } from '../support/api/build-app.ts';
import { until } from '../support/until.ts';
import { queueDepthReaches } from '../support/api/queue-depth.ts';

let service: BuiltApp;
let socket: Socket;
let received: string;

const connectTo = async (to: BuiltApp): Promise<void> => {
  socket = connect(Number(new URL(to.url).port), '127.0.0.1');
  received = '';
  socket.on('data', (data) => (received += String(data)));
  await once(socket, 'connect');
};
afterEach(() => void socket.destroy());

describe('server', () => {
  beforeAll(async () => void (service = await buildApp({ slots: 0 })));
  afterAll(() => service.close());
  beforeEach(() => connectTo(service));

  test.each([
    { what: 'malformed HTTP', text: 'hello there\r\n\r\n', status: 400 },
    {
      what: 'oversized headers',
      text: `GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
      status: 431,
    },
    { what: 'the preface of HTTP/2', text: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', status: 400 },
    {
      what: 'a length and chunks',
      text: 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
      status: 400,
    },
    {
      what: 'a header with a control character',
      text: 'GET / HTTP/1.1\r\nhost: x\r\na: b\u0001\r\n\r\n',
      status: 400,
    },
  ])('answers $what with an error body', async ({ text, status }) => {
    const closed = once(socket, 'close');
    socket.write(text);
    await closed;

    expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(received.split('\r\n\r\n')[1]!)).toMatchObject({
      detail: 'The request could not be read.',
      code: 'unreadable_request',
    });
  });

  test('gives a request 30 seconds to arrive, headers and body alike', async () => {
    const { requestTimeout, headersTimeout } = service.app.server.server;

    expect([requestTimeout, headersTimeout]).toEqual([30_000, 30_000]);
  });

  test.each([
    { what: 'no Host', text: 'GET /v1/avatars HTTP/1.1\r\n', status: 400 },
    { what: 'an expectation', text: 'GET / HTTP/1.1\r\nhost: x\r\nexpect: cake\r\n', status: 417 },
    {
      what: 'a wish for a tunnel',
      text: 'CONNECT a.example:443 HTTP/1.1\r\nhost: x\r\n',
      status: 405,
    },
    {
      what: 'a path that cannot be decoded',
      text: 'GET /%zz HTTP/1.1\r\nhost: x\r\n',
      status: 400,
    },
    { what: 'no path', text: 'GET nowhere HTTP/1.1\r\nhost: x\r\n', status: 400 },
  ])('answers $what with JSON', async ({ text, status }) => {
    const closed = once(socket, 'close');
    socket.write(`${text}connection: close\r\n\r\n`);
    await closed;

    const [head, body] = received.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toContain('application/json');
    expect(JSON.parse(body!)).toMatchObject({ detail: expect.any(String) });
  });

  test('answers HTTP/1.0 without a Host', async () => {
    const closed = once(socket, 'close');
    socket.write('GET /healthz HTTP/1.0\r\n\r\n');
    await closed;

    expect(received).toMatch(/^HTTP\/1.1 200 /);
  });

  test('sends a request id', async () => {
    const [firstReply, secondReply] = [
      await service.call('GET', '/v1/sessions'),
      await service.call('GET', '/v1/sessions'),
    ];

    expect(firstReply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(firstReply.headers['x-request-id']).not.toBe(secondReply.headers['x-request-id']);
  });
});

describe('a server of its own', () => {
  test.each([
    { half: 'headers', text: 'POST /v1/sessions HTTP/1.1\r\nhost: x\r\n' },
    {
      half: 'body',
      text: `POST /v1/sessions HTTP/1.1\r\nhost: x\r\nx-api-key: ${API_KEY}\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{`,
    },
  ])('ends a request with half its $half at the limit', async ({ text }) => {
    const arrival = { withinMs: 300, checkEveryMs: 20 };
    const hasty = await buildApp({ slots: 0, times: { arrival } });
    const connectedAt = performance.now();
    await connectTo(hasty);
    const closed = once(socket, 'close');
    socket.write(text);
    await closed;

    expect(received).toMatch(/^HTTP\/1.1 408 /);
    expect(performance.now() - connectedAt).toBeGreaterThan(250);
    await hasty.close();
  });

  test('refuses new requests while stopping, and finishes running ones', async () => {
    const stopping = await buildApp({ slots: 0 });
    await connectTo(stopping);
    const body = JSON.stringify({ avatar_id: NORA });
    const head = `host: x\r\norigin: https://a.example\r\nx-api-key: ${API_KEY}\r\n`;
    const length = `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
    socket.write(`POST /v1/sessions HTTP/1.1\r\n${head}${length}\r\n${body}`);
    await queueDepthReaches(stopping);

    const { server } = stopping.app.server;
    const stopped = stopping.app.server.close();
    await until(() => !server.listening);
    // Once the first is answered, a connection without another request is closed.
    const arrived = once(server, 'request');
    socket.write(`GET /v1/avatars HTTP/1.1\r\n${head}\r\n`);
    await arrived;
    await stopping.clock.pass(2_000);
    await stopped;

    await until(() => received.includes('stopping'));
    const [firstResponse, secondResponse] = received.split('HTTP/1.1 ').slice(1);
    expect(firstResponse).toMatch(/^503 .*no_worker_for_avatar/s);
    expect(secondResponse).toMatch(/^503 .*access-control-allow-origin: \*.*stopping/s);
    await stopping.close();
  });
});
