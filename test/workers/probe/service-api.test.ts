import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ServiceRefusal } from '../../../workers/probe/probe.ts';
import { serviceApi } from '../../../workers/probe/service-api.ts';
import { until } from '../../support/until.ts';
import { TestClock } from '../../support/test-clock.ts';

type Handler = (request: IncomingMessage, reply: ServerResponse) => void;

let server: Server;
let handle: Handler;
let base: string;
beforeEach(async () => {
  server = createServer((request, reply) => handle(request, reply)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const answer = (status: number, body: unknown): Handler => {
  return (request, reply) => {
    request.resume();
    reply.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  };
};
const clock = new TestClock();
const api = (url = base) => serviceApi({ url, apiKey: 'a key', avatarId: 'mira', clock });
const { signal } = new AbortController();

describe('the API of a probe', () => {
  test('opens one session, however often it asks', async () => {
    const keys: unknown[] = [];
    let body = '';
    handle = async (request, reply) => {
      keys.push(request.headers['idempotency-key']);
      body = (await request.toArray()).join('');
      const room = { url: 'wss://m', name: 'r', agent_token: 'a', viewer_token: 'v' };
      answer(201, { id: 's', status: { type: 'to_start' }, room })(request, reply);
    };
    const probed = api(`${base}/troupe/`);

    const session = await probed.open(signal);
    await probed.open(signal);

    expect(session).toEqual({
      id: 's',
      room: { url: 'wss://m', agentToken: 'a', viewerToken: 'v' },
    });
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(JSON.parse(body)).toMatchObject({ avatar_id: 'mira', max_session_length_minutes: 2 });
  });

  test.each([
    [401, { detail: 'Invalid API key.' }, 'answered 401: Invalid API key.'],
    [503, { detail: 'Busy.', reason: 'full' }, 'answered 503: Busy. (full)'],
    [422, { detail: [{ msg: 'Field required' }, { msg: 'Wrong' }] }, ': Field required; Wrong'],
    [502, '<html>bad gateway</html>', 'answered 502: no reason'],
    [200, '<html>welcome</html>', 'did not answer with a session. Is it the address of Troupe?'],
  ])('explains the answer %i', async (status, body, problem) => {
    handle = answer(status, body);

    const refusal: unknown = await api()
      .open(signal)
      .catch((error: unknown) => error);

    expect(refusal).toBeInstanceOf(ServiceRefusal);
    expect(String(refusal)).toContain(`POST ${base}/v1/sessions`);
    expect(String(refusal)).toContain(problem);
    expect(String(refusal)).not.toContain('a key');
  });

  test('names an address that cannot be reached', async () => {
    server.close();
    await once(server, 'close');

    await expect(api().open(signal)).rejects.toThrow(
      /^POST http:\S+\/v1\/sessions: connect ECONNREFUSED 127\.0\.0\.1:\d+\.$/,
    );
    await expect(api('http://nowhere.invalid').open(signal)).rejects.toThrow(
      /getaddrinfo \w+ nowhere\.invalid\.$/,
    );
    await expect(api().open(signal)).rejects.not.toBeInstanceOf(ServiceRefusal);
  });

  test('stops waiting for an answer when it is aborted', async () => {
    const request = Promise.withResolvers<void>();
    handle = () => request.resolve();
    const abort = new AbortController();

    const opening = api().open(abort.signal);
    await request.promise;
    abort.abort();

    await expect(opening).rejects.toThrow('aborted');
  });

  test('asks until the session is completed', async () => {
    const requests: string[] = [];
    handle = (request, reply) => {
      requests.push(`${request.method} ${request.url}`);
      const type = requests.length < 3 ? 'ongoing' : 'completed';
      answer(200, { id: 's', status: { type } })(request, reply);
    };

    const ending = api().end('s', signal);
    for (const polls of [1, 2]) {
      await until(() => clock.waiting === 1);
      expect(requests).toHaveLength(polls);
      clock.advance(200);
    }
    await ending;

    expect(requests).toEqual([
      'POST /v1/sessions/s/end',
      'GET /v1/sessions/s',
      'GET /v1/sessions/s',
    ]);
  });

  test('reads why a session ended', async () => {
    const ended = { end_reason: 'room_refused', end_detail: 'no such host' };
    handle = answer(200, { id: 's', status: { type: 'completed' }, ...ended });

    expect(await api().find('s', signal)).toEqual({
      status: 'completed',
      endReason: 'room_refused',
      endDetail: 'no such host',
    });
  });
});
