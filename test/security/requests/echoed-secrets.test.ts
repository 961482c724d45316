/* Secrets in refused requests: no answer, request log or log line repeats them. */
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRecord } from '#protocol/botroom/records.ts';
import { parseWorkerMessage } from '#protocol/codec.ts';
import { createLog } from '#shared/log.ts';
import { readType } from '../../../src/http/compat/connections/ojin-messages.ts';
import { API_KEY, buildApp, NORA, roomToken, type BuiltApp } from '../../support/api/build-app.ts';

/** A short one, in a form that looks like none. */
const SECRET = 'hunter2';
/** Part of no field's name in the API. */
const MARK = 'zq77';
const VALUE = `${SECRET}${MARK}`;

let service: BuiltApp;
let lines: string[];
beforeAll(async () => {
  lines = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLog({ name: 'control', level: 'trace' }, destination);
  service = await buildApp({ log });
});
afterAll(() => service.close());

type Case = { what: string; url?: string; type?: string; body: unknown };

const api = { name: 'a', type: 'openai_compatible_llm', url: 'https://llm.example/v1' };

const CASES: Case[] = [
  { what: 'text/plain', type: 'text/plain', body: { ...api, api_key: VALUE } },
  { what: 'no content type', type: '', body: { ...api, api_key: VALUE } },
  { what: 'a form', type: 'application/x-www-form-urlencoded', body: `api_key=${VALUE}` },
  { what: 'a misspelt field', body: { ...api, auth: VALUE } },
  { what: 'another misspelt field', body: { ...api, apiky: VALUE, name: undefined } },
  { what: 'a field too deep', body: { ...api, name: { value: VALUE } } },
  { what: 'a list', body: [VALUE] },
  { what: 'a text', body: VALUE },
  { what: 'a key of another type', body: { ...api, api_key: { value: VALUE } } },
  { what: 'a key in the address', body: { ...api, url: `ftp://me:${VALUE}@llm.example/${VALUE}` } },
  { what: 'broken JSON', body: `{"api_key":"${VALUE}"` },
  { what: 'a map of an agent', url: '/v1/agents', body: { name: 'a', metadata: { a: VALUE } } },
  { what: 'a map of a session', url: '/v1/sessions', body: { metadata: { a: [VALUE] } } },
  { what: 'a model of an agent', url: '/v1/agents', body: { llm: { type: 'openai', k: VALUE } } },
  {
    what: 'an address of a webhook',
    url: '/v1/webhooks',
    body: { url: `http://a.example/${VALUE}` },
  },
  { what: 'a tag of a call', url: '/v1/calls', body: { agent_id: 5, tags: { a: { b: VALUE } } } },
  {
    what: 'a vendor door',
    url: '/compat/tavus/conversations',
    body: { properties: { livekit_ws_url: [VALUE], livekit_room_token: 1 }, key2: VALUE },
  },
  {
    what: 'seconds of a vendor door',
    url: '/compat/simli/compose/token',
    body: { maxSessionLength: VALUE },
  },
];

describe('no part of it is told', () => {
  test.each(CASES)(
    '$what',
    async ({ url = '/v1/external-apis', type = 'application/json', body }) => {
      const reply = await service.call('POST', url, {
        headers: {
          'content-type': type,
          'x-simli-api-key': API_KEY,
        },
        payload: typeof body === 'string' && body !== VALUE ? body : JSON.stringify(body),
      });

      expect(reply.statusCode, reply.body).toBeGreaterThanOrEqual(400);
      expect(reply.statusCode).toBeLessThan(500);
      expect(reply.body).not.toContain(MARK);
      expect((await service.call('GET', '/v1/request-log')).body).not.toContain(MARK);
      expect(lines.join('\n')).not.toContain(MARK);
    },
  );

  test('a token of a room that is refused', async () => {
    const token = await roomToken({ roomJoin: true, room: MARK });

    const reply = await service.call('POST', '/v1/sessions', {
      payload: { avatar_id: NORA, url: `ftp://media.example/${MARK}`, token },
    });

    expect(reply.statusCode, reply.body).toBeGreaterThanOrEqual(400);
    expect(reply.body).not.toContain(MARK);
    expect((await service.call('GET', '/v1/request-log')).body).not.toContain(MARK);
  });

  test('a name of a field is told', async () => {
    const reply = await service.call('POST', '/v1/external-apis', {
      payload: { ...api, apikey: 1 },
    });

    expect(reply.json().detail).toContainEqual({
      type: 'extra_forbidden',
      loc: ['body', 'apikey'],
      msg: expect.stringContaining("'api_key'"),
      input: null,
    });
  });
});

test.each([
  { of: 'a worker', read: () => parseWorkerMessage(`{"type":"register","secret":${VALUE}`) },
  { of: 'a botroom', read: () => readRecord(recordOf(`{"token":${VALUE}`)) },
  { of: 'a vendor', read: () => readType(Buffer.from(`{"key":${VALUE}`)) },
])('an error about a message of $of quotes nothing of it', ({ read }) => {
  let error: Error | undefined;
  try {
    read();
  } catch (thrown) {
    error = thrown as Error;
  }

  expect(error).toBeInstanceOf(Error);
  expect(inspect(error, { depth: 5 })).not.toContain(SECRET);
});

/** A record with this header. */
function recordOf(header: string): Buffer {
  const record = Buffer.alloc(9 + header.length);
  record.writeUInt32BE(5 + header.length, 0);
  record.writeUInt8(1, 4);
  record.writeUInt32BE(header.length, 5);
  record.write(header, 9);
  return record;
}
