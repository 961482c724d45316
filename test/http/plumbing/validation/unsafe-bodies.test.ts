import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp, NORA, type BuiltApp } from '../../../support/api/build-app.ts';

let service: BuiltApp;
beforeAll(async () => {
  service = await buildApp();
});
afterAll(() => service.close());

const send = (path: string, payload: string) =>
  service.call('POST', path, { headers: { 'content-type': 'application/json' }, payload });

const session = (fields: string) => `{"avatar_id":"${NORA}",${fields}}`;

describe('a name that reaches prototypes is refused by its name', () => {
  test.each([
    { where: 'at the top', body: session('"__proto__":{"a":1}'), loc: ['__proto__'] },
    { where: 'written with an escape', body: session('"__pr\\u006fto__":"x"'), loc: ['__proto__'] },
    {
      where: 'in metadata',
      body: session('"metadata":{"__proto__":"x"}'),
      loc: ['metadata', '__proto__'],
    },
    { where: 'in a list', body: session('"a":[{"__proto__":null}]'), loc: ['a', 0, '__proto__'] },
    {
      where: 'as a constructor',
      body: session('"constructor":{"prototype":{}}'),
      loc: ['constructor'],
    },
  ])('$where', async ({ body, loc }) => {
    const reply = await send('/v1/sessions', body);

    expect(reply.statusCode).toBe(422);
    expect(reply.json()).toMatchObject({
      detail: [
        {
          type: 'forbidden_name',
          loc: ['body', ...loc],
          msg: `The name ${loc.at(-1)} is not allowed.`,
          input: null,
        },
      ],
    });
  });

  test('and a constructor without one is data', async () => {
    const reply = await send('/v1/sessions', session('"metadata":{"constructor":"x"}'));

    expect(reply.statusCode).toBe(201);
    expect(reply.json().metadata).toEqual({ constructor: 'x' });
  });
});

describe('a lone surrogate is refused', () => {
  test.each([
    {
      where: 'in a value',
      path: '/v1/agents',
      body: `{"name":"\\ud83d","avatar_id":"${NORA}"}`,
      loc: ['name'],
    },
    {
      where: 'in a value of a map',
      path: '/v1/sessions',
      body: session('"metadata":{"a":"x\\udc00"}'),
      loc: ['metadata', 'a'],
    },
    {
      where: 'in a name',
      path: '/v1/sessions',
      body: session('"metadata":{"a\\ud800":"x"}'),
      loc: ['metadata', 'a\ufffd'],
    },
    {
      where: 'in a field that nobody knows',
      path: '/v1/sessions',
      body: session('"a":["\\ud800"]'),
      loc: ['a', 0],
    },
    {
      where: 'by a vendor adapter',
      path: '/compat/tavus/conversations',
      body: '{"replica_id":"\\ud800"}',
      loc: ['replica_id'],
    },
  ])('$where', async ({ path, body, loc }) => {
    const reply = await send(path, body);

    expect(reply.statusCode).toBe(422);
    expect(reply.json()).toMatchObject({
      detail: [{ type: 'string_unicode', loc: ['body', ...loc], input: null }],
    });
  });

  test('and a pair of them is a letter', async () => {
    const body = `{"name":"\\ud83d\\ude42","avatar_id":"${NORA}"}`;

    const reply = await send('/v1/agents', body);

    expect(reply.statusCode).toBe(201);
    expect(reply.json().name).toBe('🙂');
  });
});
