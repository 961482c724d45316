/*
 * Every documented error with its status and exact body. Tested elsewhere: 402 and 429 for used-up
 * minutes (limits.test.ts), 410 (older-paths.test.ts), 503 (capacity.test.ts).
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlanName } from '../../../src/accounts/plan.ts';
import { builtInAvatars } from '../../../src/avatars/built-in-avatars.ts';
import { FAULTS } from '../../../src/errors.ts';
import { TROUPE_ADMIN_PASSWORD, makeAccount } from '../../support/api/admin.ts';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { rawAnswer } from '../../support/api/raw-answer.ts';

const KEPT = '6a2f7c35-0d2b-4f4e-8b0e-1c9d7a6e5f40';
const NOBODY = '00000000-0000-4000-8000-0000000000ff';

let service: BuiltApp;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'troupe-catalog-'));
  const file = path.join(folder, 'catalog.json');
  const entry = { aliases: [], bundle: 'nora.avatar', picture: 'nora.webp' };
  const keptEntry = { id: KEPT, name: 'Iris', accounts: ['a studio'], creator_id: 'studio-7' };
  writeFileSync(
    file,
    JSON.stringify([
      { ...entry, id: NORA, name: 'Nora', aliases: ['nora'] },
      { ...entry, ...keptEntry },
    ]),
  );
  const env = { TROUPE_ADMIN_PASSWORD, REQUESTS_PER_MINUTE: '40' };
  service = await buildApp({ env, builtIn: builtInAvatars(file) });
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

type Asked = Omit<InjectOptions, 'url' | 'path'> & { url: string };
type Case = {
  what: string;
  status: number;
  detail: unknown;
  about?: object;
  plan?: PlanName;
  ask: Asked;
  /** Earlier request of the same caller. */
  before?: (send: (request: Asked) => Promise<{ json: () => { id: string } }>) => Promise<unknown>;
};

const session = (fields: object = {}): Asked => ({
  method: 'POST',
  url: '/v1/sessions',
  payload: { avatar_id: NORA, ...fields },
});
const get = (url: string): Asked => ({ method: 'GET', url });
const NO_KEY = { 'x-api-key': '' };
const key = { 'idempotency-key': 'key-1' };
const externalApi = {
  name: 'mine',
  type: 'openai_compatible_llm',
  url: 'http://127.0.0.1:9/v1',
  api_key: 'k',
};

const NOT_FOUND = 'The requested resource was not found.';
const FORBIDDEN = 'You do not have permission to access this resource.';

const cases: Case[] = [
  {
    what: 'a date range that ends before it begins',
    status: 400,
    detail: '`from` is after `to`.',
    ask: get('/v1/sessions?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z'),
  },
  {
    what: 'a missing key',
    status: 401,
    detail: 'API key is required.',
    ask: { ...get('/v1/avatars'), headers: NO_KEY },
  },
  {
    what: 'an invalid key',
    status: 401,
    detail: 'Invalid API key.',
    ask: { ...get('/v1/avatars'), headers: { 'x-api-key': 'nobody' } },
  },
  {
    what: 'a resource reserved for selected customers',
    status: 403,
    detail: FORBIDDEN,
    about: { avatar_id: KEPT, creator_id: 'studio-7' },
    ask: get(`/v1/avatars/${KEPT}`),
  },
  {
    what: 'a feature of another plan',
    plan: 'free',
    status: 403,
    detail: 'This feature is not available on your current plan. Please upgrade your plan.',
    ask: { method: 'POST', url: '/v1/mediaserver-rooms', payload: { agent_id: NOBODY } },
  },
  {
    what: 'an unknown session',
    status: 404,
    detail: NOT_FOUND,
    ask: get(`/v1/sessions/${NOBODY}`),
  },
  {
    what: 'an unknown avatar',
    status: 404,
    detail: NOT_FOUND,
    about: { avatar_id: 'nobody' },
    ask: session({ avatar_id: 'nobody' }),
  },
  {
    what: 'a misspelt avatar',
    status: 404,
    detail: NOT_FOUND,
    about: { avatar_id: 'norra', nearest: ['nora'] },
    ask: session({ avatar_id: 'norra' }),
  },
  {
    what: 'a misspelt path',
    status: 404,
    detail: NOT_FOUND,
    about: { nearest: 'GET, POST /v1/sessions' },
    ask: get('/v1/session-s'),
  },
  { what: 'a path that nobody knows', status: 404, detail: NOT_FOUND, ask: get('/v1/nothing') },
  {
    what: 'an unsupported method',
    status: 405,
    detail: 'Method not allowed.',
    ask: { method: 'PUT', url: '/v1/sessions', payload: {} },
  },
  {
    what: 'an Idempotency-Key with another body',
    status: 409,
    detail: 'This Idempotency-Key was already used for another request.',
    before: (send) => send({ ...session(), headers: key }),
    ask: { ...session({ metadata: { other: 'yes' } }), headers: key },
  },
  {
    what: 'a body beyond the limit',
    status: 413,
    detail: 'The request body is too large.',
    ask: session({ metadata: { much: 'x'.repeat(64 * 1024) } }),
  },
  {
    what: 'an unsupported content type',
    status: 415,
    detail: 'Send the body as JSON, with content-type: application/json.',
    ask: { ...session(), headers: { 'content-type': 'text/xml' }, payload: '<a/>' },
  },
  {
    what: 'a missing field',
    status: 422,
    detail: [{ type: 'missing', loc: ['body', 'avatar_id'], msg: 'Field required', input: null }],
    ask: { method: 'POST', url: '/v1/sessions', payload: {} },
  },
  {
    what: 'an invalid parameter',
    status: 422,
    detail: [
      { type: 'less_than_equal', loc: ['query', 'limit'], msg: 'Input must be <= 50', input: 51 },
    ],
    ask: get('/v1/sessions?limit=51'),
  },
  {
    what: 'more concurrent sessions than the plan allows',
    plan: 'free',
    status: 429,
    detail:
      'You have reached your concurrency limit. Please upgrade your plan or stop other ongoing sessions.',
    before: (send) => send(session()),
    ask: session(),
  },
  {
    what: 'more requests than the rate limit',
    status: 429,
    detail: 'Too many requests. Please try again shortly.',
    before: (send) => Promise.all(Array.from({ length: 40 }, () => send(get('/v1/avatars')))),
    ask: get('/v1/avatars'),
  },
  {
    what: 'a capability not available to the account',
    plan: 'free',
    status: 501,
    detail: 'This capability is not available for this type of account.',
    ask: { method: 'POST', url: '/v1/external-apis', payload: externalApi },
  },
];

/** Stable names of errors with this status. */
const namesOf = (status: number): string[] =>
  Object.entries(FAULTS)
    .filter(([, fault]) => fault.status === status)
    .map(([name]) => name);

describe('errors', () => {
  test.each(cases)(
    '$status for $what',
    async ({ status, detail, about, plan = 'unlimited', ask, before }) => {
      const { headers } = await makeAccount(service, plan);
      const send = ({ headers: extraHeaders, ...request }: Asked) =>
        service.app.server.inject({ ...request, headers: { ...headers, ...extraHeaders } });
      await before?.(send);

      const reply = await send(ask);

      expect(reply.statusCode).toBe(status);
      const { code, advice, docs, ...body } = reply.json();
      expect(body).toEqual({ detail, ...about });
      expect({ status, code }).toEqual({ status, code: expect.toBeOneOf(namesOf(status)) });
      expect(advice).toMatch(/^[A-Z].+\.$/);
      expect(docs).toBe(`/docs/limits#${code}`);
      expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    },
  );
});

describe('errors of the service itself', () => {
  let ownApp: BuiltApp;
  beforeAll(async () => {
    ownApp = await buildApp({ slots: 1 });
  });
  afterAll(() => ownApp.close());

  test('500 reveals no details', async () => {
    ownApp.rooms.isAnswering = false;

    const reply = await ownApp.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });

    ownApp.rooms.isAnswering = true;
    expect([reply.statusCode, reply.json()]).toEqual([
      500,
      {
        detail: 'An unexpected error occurred.',
        code: 'internal_error',
        advice: expect.stringContaining('x-request-id'),
        docs: '/docs/limits#internal_error',
      },
    ]);
  });

  test.each([
    { what: 'headers beyond 16 KiB', more: `x: ${'x'.repeat(17_000)}\r\n`, status: 431 },
    { what: 'a path beyond 16 KiB', path: `/${'x'.repeat(17_000)}`, status: 431 },
    { what: 'headers just below 16 KiB', more: `x: ${'x'.repeat(15_000)}\r\n`, status: 200 },
  ])('$status for $what', async ({ more: extraHeaders = '', path = '/healthz', status }) => {
    const text = `GET ${path} HTTP/1.1\r\nhost: x\r\n${extraHeaders}connection: close\r\n\r\n`;

    const answer = await rawAnswer(ownApp.url, text);

    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject(
      status === 200
        ? { status: 'ok' }
        : { detail: 'The request could not be read.', code: 'unreadable_request' },
    );
  });
});
