import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Refusal, Unreachable } from '../../../src/web/api/answers.ts';
import { noticeOf } from '../../../src/web/try/notices.ts';
import { PageAccess } from '../../../src/web/access/page-access.ts';
import { Service } from '../../../src/web/try/service.ts';

type Answer = { status: number; body?: unknown; headers?: Record<string, string> };
type ReceivedRequest = {
  method: string;
  path: string;
  token: string | undefined;
  authorization: string | undefined;
};

let server: Server;
let requests: ReceivedRequest[];
let answers: (request: ReceivedRequest) => Answer;

beforeEach(async () => {
  requests = [];
  answers = ({ path }) =>
    path === '/page-token'
      ? tokenAnswer(`token-${requests.length}`)
      : { status: 200, body: { data: [] } };
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // Emulates a page: it has a location, and fetch resolves relative paths.
  vi.stubGlobal('location', new URL(origin));
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(new URL(path, origin), init));
});
afterEach(async () => {
  vi.unstubAllGlobals();
  server.closeAllConnections();
  server.close();
});

const access = () => new PageAccess('code', { get: () => null, set: () => {} });

const tokenAnswer = (token: string): Answer => ({
  status: 201,
  body: { token, expires_in_seconds: 600 },
});

function answer(request: IncomingMessage, response: ServerResponse): void {
  const received: ReceivedRequest = {
    method: request.method ?? '',
    path: request.url ?? '',
    token: request.headers['x-page-token'] as string | undefined,
    authorization: request.headers.authorization,
  };
  requests.push(received);
  const { status, body, headers } = answers(received);
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body ?? {}));
}

describe('API client of the try page', () => {
  test('requests one token and sends it with each call', async () => {
    const service = new Service(access());

    await service.avatars();
    await service.session('s');

    expect(requests).toEqual([
      { method: 'POST', path: '/page-token', token: undefined },
      { method: 'GET', path: '/v1/avatars?limit=50', token: 'token-1' },
      { method: 'GET', path: '/v1/sessions/s', token: 'token-1' },
    ]);
  });

  test('lists the agents that need no link token', async () => {
    const service = new Service(access());
    const agents = [
      { id: 'open', name: 'Nora', avatar_id: 'nora', is_private: false },
      { id: 'closed', name: 'Theo', avatar_id: 'theo', is_private: true },
    ];
    answers = ({ path }) =>
      path === '/page-token' ? tokenAnswer('token') : { status: 200, body: { data: agents } };

    expect((await service.hosts()).map(({ id }) => id)).toEqual(['open']);
  });

  test('requests another token when the service rejects this one', async () => {
    const service = new Service(access());
    answers = ({ path, token }) => {
      if (path === '/page-token') return tokenAnswer(`token-${requests.length}`);
      return token === 'token-1' ? { status: 401 } : { status: 200, body: { data: [] } };
    };

    expect(await service.avatars()).toEqual([]);
    expect(requests.map(({ path }) => path)).toEqual([
      '/page-token',
      '/v1/avatars?limit=50',
      '/page-token',
      '/v1/avatars?limit=50',
    ]);
  });

  test('loads pictures from its own origin, whatever host the service names', async () => {
    answers = ({ path }) =>
      path === '/page-token'
        ? tokenAnswer('t')
        : {
            status: 200,
            body: {
              data: ['ready', 'building', 'failed'].map((status) => ({
                id: 'a',
                name: 'Mira',
                status,
                picture: 'http://troupe.test/avatars/a/picture',
              })),
            },
          };

    expect(await new Service(access()).avatars()).toEqual([
      { id: 'a', name: 'Mira', picture: '/avatars/a/picture', voice: null },
    ]);
  });

  test('says when to try again while every worker is busy', async () => {
    answers = ({ path }) =>
      path === '/page-token'
        ? tokenAnswer('t')
        : {
            status: 503,
            body: { detail: 'Every avatar worker is busy.' },
            headers: { 'retry-after': '5' },
          };

    const error = await new Service(access())
      .openSession('mira', 'mediaserver')
      .catch((problem: unknown) => problem);

    expect(error).toBeInstanceOf(Refusal);
    expect(noticeOf(error)).toMatchObject({
      title: 'All avatars are busy',
      advice: expect.stringContaining('in 5 seconds'),
      canRetry: true,
    });
  });

  test('shows the first of several validation errors', async () => {
    answers = ({ path }) =>
      path === '/page-token'
        ? tokenAnswer('t')
        : {
            status: 422,
            body: { detail: [{ type: 'x', loc: ['body'], msg: 'Unknown avatar', input: 1 }] },
          };

    await expect(new Service(access()).openSession('x', 'mediaserver')).rejects.toThrow(
      'Unknown avatar',
    );
  });

  test('distinguishes an unreachable service from a refusal', async () => {
    server.closeAllConnections();
    server.close();

    await expect(new Service(access()).avatars()).rejects.toBeInstanceOf(Unreachable);
  });

  test('uploads a photo, and loads its progress', async () => {
    const building = { id: 'a b', status: 'building', progress: 40 };
    answers = ({ path }) =>
      path === '/page-token' ? tokenAnswer('token') : { status: 200, body: building };
    const service = new Service(access());

    const avatar = await service.createAvatar(
      'Ada',
      new File(['pixels'], 'ada.jpg'),
      'She agrees.',
    );
    const status = await service.avatar(avatar.id);

    expect(status).toEqual(building);
    expect(requests.slice(1)).toMatchObject([
      { method: 'POST', path: '/v1/avatars', token: 'token' },
      { method: 'GET', path: '/v1/avatars/a%20b', token: 'token' },
    ]);
  });
});
