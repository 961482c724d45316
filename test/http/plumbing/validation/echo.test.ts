import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp, NORA, type BuiltApp } from '../../../support/api/build-app.ts';
import { newAgent } from '../../../support/api/resources.ts';

let service: BuiltApp;
beforeAll(async () => {
  service = await buildApp({ slots: 0 });
});
afterAll(() => service.close());

const MOST = 200;
/** A letter that no message of the service contains. */
const SIGN = '字';
const long = SIGN.repeat(20_000);
const many = (value: unknown) =>
  Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${SIGN.repeat(at + 1)}${at}`, value]));

type Case = { of: string; method?: 'POST' | 'PATCH'; path?: string; payload: unknown };

const cases: Case[] = [
  { of: 'one long value', payload: { avatar_id: long } },
  { of: 'a body without its required field', payload: { a: long } },
  { of: 'a list instead of an object', payload: [long] },
  { of: 'many wrong values', payload: { avatar_id: NORA, metadata: many(5) } },
  { of: 'many unknown fields', path: '/v1/agents', payload: many(SIGN.repeat(100)) },
  { of: 'one unknown field with a long name', path: '/v1/agents', payload: { [long]: 1 } },
  {
    of: 'an address',
    path: '/v1/webhooks',
    payload: { url: `ftp://${long.slice(0, 2_000)}`, events: [] },
  },
  {
    of: 'an address that is refused later',
    path: '/v1/webhooks',
    payload: { url: `http://example.com/${long.slice(0, 1_900)}`, events: ['test'] },
  },
  { of: 'a lone surrogate under a long name', payload: { [long]: '\ud800' } },
  { of: 'a forbidden name deep inside', payload: `{"${SIGN.repeat(500)}":{"__proto__":1}}` },
];

test('a malformed path is not repeated', async () => {
  const reply = await service.call('GET', `/v1/avatars/%zz${'x'.repeat(10_000)}`);

  expect(reply.statusCode).toBe(400);
  expect(reply.json()).toMatchObject({ detail: 'The path has an escape that cannot be decoded.' });
});

describe('a 422 repeats at most 200 characters of its request', () => {
  test.each(cases)('$of', async ({ method = 'POST', path = '/v1/sessions', payload }) => {
    const reply = await service.call(method, path, {
      headers: { 'content-type': 'application/json' },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    });

    expect(reply.statusCode).toBe(422);
    expect(reply.body.split(SIGN).length - 1).toBeLessThanOrEqual(MOST);
    expect(reply.body.length).toBeLessThan(20_000);
  });

  test.each([
    { of: 'a short word', avatar_id: 5, input: 5 },
    { of: 'what is too long', avatar_id: long, input: null },
    { of: 'an object', avatar_id: { a: SIGN }, input: null },
    { of: 'a list', avatar_id: [SIGN], input: null },
  ])('and of $of only what is short', async ({ avatar_id, input }) => {
    const reply = await service.call('POST', '/v1/sessions', { payload: { avatar_id } });

    expect(reply.json<{ detail: object[] }>().detail[0]).toMatchObject({ input });
  });

  test('and no secret, wherever it stands', async () => {
    const id = await newAgent(service);
    const payload = { llm: { type: 'openai', deeper: [{ api_key: 'sk-1', password: 'pw-1' }] } };

    const changed = await service.call('PATCH', `/v1/agents/${id}`, { payload });
    const listed = await service.call('POST', '/v1/agents', { payload: [payload] });

    for (const { statusCode, body } of [changed, listed]) {
      expect(statusCode).toBe(422);
      expect(body).not.toMatch(/sk-1|pw-1/);
    }
  });
});
