import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  APIError,
  ConnectionError,
  RateLimitError,
  TimeoutError,
  Troupe,
  UnavailableError,
} from '../../../src/clients/typescript/src/index.ts';
import { TestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

let clock: TestClock;
let answers: Answer[];
let received: IncomingMessage[];
/** Answers whose heads the client has. */
let heads: number;
let server: ReturnType<typeof createServer>;
let troupe: Troupe;

/** A service that gives the next answer; 200 with an empty page after the last one. */
beforeEach(async () => {
  clock = new TestClock();
  answers = [];
  received = [];
  heads = 0;
  server = createServer((request, response) => {
    received.push(request);
    request.resume();
    const answer = answers.shift() ?? json(200, { data: [], has_more: false });
    answer(response, request);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  troupe = clientOf({});
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  expect(clock.waiting).toBe(0);
});

const clientOf = (options: { maxRetries?: number; baseUrl?: string }) =>
  new Troupe(
    {
      apiKey: 'a key',
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ...options,
    },
    {
      async fetch(input, init) {
        const response = await fetch(input, init);
        heads += 1;
        return response;
      },
      now: () => clock.now(),
      random: () => 0,
      after: (ms, run) => clock.after(ms, run),
    },
  );

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));

const broken: Answer = (response) => response.destroy();

/** Waits for a pause of exactly this length, and ends it. */
async function pause(ms: number): Promise<void> {
  await until(() => clock.dueIn(ms) === 1 && clock.nextInMs === ms);
  clock.advance(ms);
}

describe('a request', () => {
  test('is not sent on to where a redirect leads', async () => {
    answers = [
      (response) => response.writeHead(301, { location: 'https://other.example/v1' }).end(),
    ];

    const opened = troupe.sessions.create({ avatar_id: FIRST_AVATAR.alias });

    await expect(opened).rejects.toThrow(
      'The service redirects to https://other.example/v1. Set `baseUrl` to its final address.',
    );
    expect(received).toHaveLength(1);
  });

  test('says where a redirect leads, and which request was redirected', async () => {
    answers = [(response) => response.writeHead(308, { location: '/v2/sessions?limit=3' }).end()];

    await expect(troupe.sessions.list({ limit: 3 })).rejects.toMatchObject({
      name: 'RedirectError',
      location: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v2\/sessions\?limit=3$/),
      request: { method: 'GET', path: '/v1/sessions' },
    });
  });

  test('shows a redirect that leads nowhere', async () => {
    answers = [(response) => response.writeHead(302, { location: 'https://[bad/' }).end()];

    await expect(troupe.sessions.list()).rejects.toMatchObject({ location: 'https://[bad/' });
    expect(received).toHaveLength(1);
  });

  test('is tried again with growing pauses, under one idempotency key', async () => {
    answers = [json(503, { detail: 'busy' }), broken, json(201, { id: 's' })];

    const opened = troupe.sessions.create({ avatar_id: FIRST_AVATAR.alias });
    await pause(500);
    await pause(1_000);

    expect(await opened).toEqual({ id: 's' });
    const keys = received.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
    expect(new Set(keys).size).toBe(1);
  });

  test('waits as long as the service asks', async () => {
    const later = new Date(clock.now() + 7_000).toUTCString();
    answers = [
      json(429, { detail: 'slow down' }, { 'retry-after': '3' }),
      json(503, { detail: 'busy' }, { 'retry-after': later }),
    ];

    const page = troupe.sessions.list().then(({ data }) => data);
    await pause(3_000);
    await pause(4_000);

    expect(await page).toEqual([]);
  });

  test('is not tried again when the service asks for minutes', async () => {
    answers = [json(429, { detail: 'slow down' }, { 'retry-after': '120' })];

    await expect(troupe.sessions.list()).rejects.toThrow(RateLimitError);

    expect(received).toHaveLength(1);
  });

  test('gives up after its retries', async () => {
    answers = [1, 2, 3].map(() => json(503, { detail: 'busy', code: 'at_capacity', docs: '/d#x' }));

    const failing = expect(troupe.sessions.list()).rejects.toMatchObject({
      name: 'UnavailableError',
      code: 'at_capacity',
      docs: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/d#x$/),
      message: '503 busy',
    });
    await pause(500);
    await pause(1_000);

    await failing;
    expect(received).toHaveLength(3);
  });

  test.each([400, 401, 402, 403, 404, 409, 422, 501])(
    'with the answer %i is final',
    async (status) => {
      answers = [json(status, { detail: 'no' })];

      await expect(troupe.avatars.retrieve(FIRST_AVATAR.alias)).rejects.toMatchObject({ status });

      expect(received).toHaveLength(1);
    },
  );

  test.each([
    ['that may have been carried out', broken, ConnectionError],
    ['that failed', json(500, { detail: 'oops' }), APIError],
  ])('without an idempotency key %s is not repeated', async (_, answer, error) => {
    answers = [answer];

    await expect(troupe.sessions.end('s')).rejects.toThrow(error);

    expect(received).toHaveLength(1);
  });

  test('without an idempotency key that was refused is repeated', async () => {
    answers = [json(503, { detail: 'stopping' }), json(200, { id: 's' })];

    const ended = troupe.sessions.end('s');
    await pause(500);
    await ended;

    expect(received).toHaveLength(2);
  });

  test('has a time limit for each try', async () => {
    answers = [() => {}];

    const failing = expect(
      troupe.sessions.end('s', { timeoutMs: 5_000, maxRetries: 2 }),
    ).rejects.toThrow(TimeoutError);
    await until(() => received.length === 1);
    clock.advance(5_000);

    await failing;
  });

  test('has a time limit that includes the body of its answer', async () => {
    answers = [(response) => response.writeHead(200).write('{"id"')];

    const failing = expect(troupe.sessions.end('s', { timeoutMs: 5_000 })).rejects.toMatchObject({
      name: 'TimeoutError',
      request: { method: 'POST', path: '/v1/sessions/s/end' },
    });
    await until(() => heads === 1);
    clock.advance(5_000);

    await failing;
  });

  test('is tried again when its answer breaks off', async () => {
    answers = [
      (response) =>
        response
          .writeHead(200, { 'content-length': '100' })
          .write('{"id"', () => response.destroy()),
      json(200, { id: 'a' }),
    ];

    const agent = troupe.agents.retrieve('a');
    await pause(500);

    expect(await agent).toEqual({ id: 'a' });
  });

  test('is not tried again when its answer is no JSON', async () => {
    answers = [(response) => response.writeHead(200).end('<h1>Welcome</h1>')];

    await expect(troupe.agents.retrieve('a')).rejects.toThrow('is not JSON');
    expect(received).toHaveLength(1);
  });

  test('is tried again when the body of an error breaks off', async () => {
    answers = [
      (response) =>
        response.writeHead(401, { 'content-length': '100' }).write('{', () => response.destroy()),
      json(200, { id: 'a' }),
    ];

    const agent = troupe.agents.retrieve('a');
    await pause(500);

    expect(await agent).toEqual({ id: 'a' });
  });

  test('can be aborted during a pause', async () => {
    answers = [json(503, { detail: 'busy' })];
    const stop = new AbortController();

    const failing = expect(
      troupe.agents.retrieve('a', { signal: stop.signal }),
    ).rejects.toMatchObject({ name: 'AbortError' });
    await until(() => clock.dueIn(500) === 1);
    stop.abort();

    await failing;
  });

  test('says why the service cannot be reached', async () => {
    const nowhere = clientOf({ baseUrl: 'http://127.0.0.1:1', maxRetries: 0 });

    await expect(nowhere.auth.verify()).rejects.toThrow(/^The service cannot be reached: \S/);
  });

  test('shows what a proxy answers', async () => {
    answers = [(response) => response.writeHead(503).end('<h1>Bad gateway</h1>')];

    const error = await clientOf({ maxRetries: 0 })
      .auth.verify()
      .catch((failure: unknown) => failure);

    expect(error).toBeInstanceOf(UnavailableError);
    expect(error).toMatchObject({ message: '503 <h1>Bad gateway</h1>', problems: [] });
  });

  test('tells the answers of a proxy from those of the service', async () => {
    answers = [
      (response) => response.writeHead(404).end('<h1>Not found</h1>'),
      json(404, { message: 'no route' }),
      json(404, { detail: 'There is no such agent.' }),
    ];

    for (const isFromProxy of [true, true, false])
      await expect(troupe.agents.retrieve('a')).rejects.toMatchObject({ isFromProxy });
  });

  test('sends the key, the version and its query', async () => {
    await troupe.sessions.list({ limit: 3, status: 'ongoing' });

    const [{ url, headers } = {} as IncomingMessage] = received;
    expect(url).toBe('/v1/sessions?limit=3&status=ongoing');
    expect(headers).toMatchObject({
      'x-api-key': 'a key',
      'user-agent': expect.stringMatching(/^troupe-sdk-typescript\/\d/),
    });
  });
});
