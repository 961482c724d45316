import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { AddressRefused, LOOPBACK_NETWORKS } from '#shared/network/address-policy.ts';
import { endpointFetch } from '../../../workers/agent/endpoint-fetch.ts';

type Asked = Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { body: string };

let server: Server;
let origin: string;
let requests: Asked[];
let answer: (response: ServerResponse) => void;

beforeEach(async () => {
  requests = [];
  answer = (response) => response.end('fine');
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const { method, url, headers } = request;
      requests.push({ method, url, headers, body });
      answer(response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const connections = () => promisify(server.getConnections.bind(server))();
const fetchOwn = endpointFetch({});
const post = { method: 'POST', body: '{"input":"hello"}' };

describe("a request to an agent's model", () => {
  test('is sent with its headers and body', async () => {
    const headers = { authorization: 'Bearer key', 'content-type': 'application/json' };

    const response = await fetchOwn(`${origin}/v1/audio/speech`, { ...post, headers });

    expect([response.status, await response.text()]).toEqual([200, 'fine']);
    expect(requests).toEqual([
      {
        method: 'POST',
        url: '/v1/audio/speech',
        headers: expect.objectContaining({ ...headers, 'content-length': '17' }),
        body: post.body,
      },
    ]);
  });

  test('may be a form', async () => {
    const body = new FormData();
    body.set('model', 'whisper-1');

    await fetchOwn(origin, { method: 'POST', body });

    expect(requests[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(requests[0]?.body).toContain('whisper-1');
  });

  test('streams its answer', async () => {
    const second = Promise.withResolvers<void>();
    answer = (response) => {
      response.write('one');
      void second.promise.then(() => response.end('two'));
    };
    const reader = (await fetchOwn(origin, post)).body!.getReader();

    const firstChunk = await reader.read();
    second.resolve();

    expect([String(Buffer.from(firstChunk.value!)), (await reader.read()).value]).toEqual([
      'one',
      new Uint8Array(Buffer.from('two')),
    ]);
  });

  test.each([301, 302, 307, 308])('follows no redirect: %i', async (status) => {
    answer = (response) => response.writeHead(status, { location: `${origin}/inside` }).end();

    const response = await fetchOwn(origin, post);

    expect(response.status).toBe(status);
    expect(requests).toHaveLength(1);
  });

  test.each([
    ['101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: other', 'without a response'],
    ['999 Odd\r\nContent-Length: 4\r\n\r\nfine', 'invalid status 999'],
  ])('fails and closes its connection after %j', async (head, error) => {
    answer = ({ socket }) => socket?.write(`HTTP/1.1 ${head}\r\n\r\n`);

    await expect(fetchOwn(origin, post)).rejects.toThrow(error);

    await until(async () => (await connections()) === 0);
  });

  test('ends when it is aborted', async () => {
    answer = (response) => response.write('one');
    const stop = new AbortController();
    const response = await fetchOwn(origin, { ...post, signal: stop.signal });

    stop.abort();

    await expect(response.text()).rejects.toThrow();
  });

  test('reaches the allowed networks only, if an owner chose the URL', async () => {
    const atLoopback = endpointFetch({ networks: LOOPBACK_NETWORKS });
    const nowhere = endpointFetch({ networks: '' });
    const byName = endpointFetch({ networks: '' }, (_name, _options, answered) =>
      answered(null, [{ address: '127.0.0.1', family: 4 }]),
    );
    const named = origin.replace('127.0.0.1', 'models.example');

    expect((await atLoopback(origin, post)).status).toBe(200);
    await expect(nowhere(origin, post)).rejects.toThrow(AddressRefused);
    await expect(byName(named, post)).rejects.toThrow(AddressRefused);
    expect(requests).toHaveLength(1);
  });
});
