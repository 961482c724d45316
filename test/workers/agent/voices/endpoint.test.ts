import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endpointVoice } from '../../../../workers/agent/voices/endpoint.ts';
import type { Voice } from '../../../../workers/agent/voices/voice.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { until } from '../../../support/until.ts';

const { signal } = new AbortController();

let clock: TestClock;
let server: Server;
let voice: Voice;
let requests: { headers: IncomingMessage['headers']; body: unknown }[];
let answer: (response: ServerResponse) => void;

beforeEach(async () => {
  clock = new TestClock();
  requests = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (text) => (body += text));
    request.on('end', () => {
      requests.push({ headers: request.headers, body: JSON.parse(body) });
      answer(response);
    });
  }).listen(0);
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
  voice = endpointVoice({ url, key: 'key', model: 'tts-1', voice: 'alloy' }, clock);
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  expect(clock.waiting).toBe(0);
});

async function samplesOf(sentence: string): Promise<number[]> {
  const samples: number[] = [];
  for await (const sound of voice.speak(sentence, signal)) samples.push(...sound.samples);
  return samples;
}

describe('a voice at an endpoint', () => {
  test('streams sound, even when a sample is split across chunks', async () => {
    answer = (response) => {
      response.write(Buffer.from([1, 0, 2]));
      setImmediate(() => response.end(Buffer.from([0, 3, 0])));
    };

    expect(await samplesOf('Hello.')).toEqual([1, 2, 3]);
    expect(requests[0]).toMatchObject({
      headers: { authorization: 'Bearer key' },
      body: { input: 'Hello.', model: 'tts-1', voice: 'alloy', response_format: 'pcm' },
    });
  });

  test('retries a failed request once', async () => {
    answer = (response) =>
      response.writeHead(requests.length === 1 ? 500 : 200).end(Buffer.alloc(2));
    expect(await samplesOf('Hello.')).toEqual([0]);

    answer = (response) => response.writeHead(401).end();
    await expect(samplesOf('Hello.')).rejects.toThrow('answered 401');
    expect(requests).toHaveLength(4);
  });

  test('keeps no connection of a failed request', async () => {
    answer = (response) => response.writeHead(500).end('Out of order.');

    await expect(samplesOf('Hello.')).rejects.toThrow('answered 500');

    const connections = promisify(server.getConnections.bind(server));
    await until(async () => (await connections()) === 0);
  });

  test('fails when there is no answer in time', async () => {
    answer = () => {};
    const sound = samplesOf('Hello.');
    sound.catch(() => {});
    await until(() => requests.length === 1);

    clock.advance(6_000);

    await expect(sound).rejects.toThrow('did not answer in time');
  });
});
