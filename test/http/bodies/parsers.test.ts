import { deflateSync, brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { formOf } from '../../support/api/form.ts';
import { sound } from '../../support/api/photo-avatars.ts';

let service: BuiltApp;
beforeAll(async () => void (service = await buildApp()));
afterAll(() => service.close());

const send = (url: string, payload: Buffer, headers: Record<string, string> = {}) =>
  service.call('POST', url, {
    payload,
    headers: { 'content-type': 'application/json', ...headers },
  });

const agent = (name: string) => JSON.stringify({ name, avatar_id: NORA, language: 'en' });
/** As curl sends it on Windows. */
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const GBK = Buffer.from([0xc4, 0xe3, 0xba, 0xc3]);

describe('text that is not UTF-8 is refused, not changed', () => {
  const api = {
    name: 'Zoë',
    type: 'openai_compatible_llm',
    url: 'https://llm.example',
    api_key: 'k',
  };
  const file = { name: 'Zoë', format: 'text', content: 'café' };
  const session = { avatar_id: NORA, metadata: { customer: 'Zoë' } };

  test.each([
    { of: 'an agent', url: '/v1/agents', body: latin1(agent('Zoë')) },
    { of: 'a knowledge file', url: '/v1/knowledge-files', body: latin1(JSON.stringify(file)) },
    { of: 'metadata', url: '/v1/sessions', body: latin1(JSON.stringify(session)) },
    { of: 'an external API', url: '/v1/external-apis', body: latin1(JSON.stringify(api)) },
    {
      of: 'a vendor door',
      url: '/compat/tavus/conversations',
      body: latin1('{"conversation_name":"Zoë"}'),
    },
    {
      of: 'GBK',
      url: '/v1/agents',
      body: Buffer.concat([Buffer.from('{"name":"'), GBK, Buffer.from('"}')]),
    },
    {
      of: 'a letter cut in two',
      url: '/v1/agents',
      body: Buffer.from(Buffer.from(agent('Zoë')).filter((byte) => byte !== 0xab)),
    },
  ])('$of', async ({ url, body }) => {
    const reply = await send(url, body);

    expect(reply.statusCode, reply.body).toBe(400);
    expect(reply.json().detail).toBe('The body is not text in UTF-8.');
  });

  test('a field of a form', async () => {
    const { headers, payload } = await formOf({ ...sound(), consent: 'xx agrees' });
    const at = payload.indexOf('xx agrees');
    payload.set([0xcb, 0xe4], at);

    const reply = await service.call('POST', '/v1/avatars', { headers, payload });

    expect(reply.statusCode, reply.body).toBe(400);
    expect(reply.json().detail).toContain('UTF-8');
  });
});

describe('a declared charset', () => {
  test.each([
    { charset: 'iso-8859-1', body: latin1(agent('Zoë')), name: 'Zoë' },
    { charset: '"windows-1252"', body: latin1(agent('Zoë')), name: 'Zoë' },
    { charset: 'UTF-16LE', body: Buffer.from(agent('Zoë'), 'utf16le'), name: 'Zoë' },
    { charset: 'utf8', body: Buffer.from(agent('Zoë')), name: 'Zoë' },
    {
      charset: 'gbk',
      body: Buffer.concat([
        Buffer.from('{"avatar_id":"nora","name":"'.replace('nora', NORA)),
        GBK,
        Buffer.from('"}'),
      ]),
      name: '你好',
    },
  ])('is honoured: $charset', async ({ charset, body, name }) => {
    const reply = await send('/v1/agents', body, {
      'content-type': `application/json; charset=${charset}`,
    });

    expect(reply.statusCode, reply.body).toBe(201);
    const { id } = reply.json();
    expect((await service.call('GET', `/v1/agents/${id}`)).json().name).toBe(name);
  });

  test('that nobody knows is refused', async () => {
    const type = 'application/json; charset=klingon';

    const reply = await send('/v1/agents', Buffer.from(agent('a')), { 'content-type': type });

    expect(reply.statusCode, reply.body).toBe(415);
    expect(reply.json()).toMatchObject({ detail: expect.stringContaining('charset') });
  });

  test.each(['utf-8', 'iso-8859-1'])('that the body breaks is refused: %s', async (charset) => {
    const broken = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff]), Buffer.from('"')]);

    const reply = await send('/v1/agents', broken, {
      'content-type': `application/json; charset=${charset}`,
    });

    expect(reply.statusCode, reply.body).toBe(charset === 'utf-8' ? 400 : 422);
  });
});

describe('a compressed body', () => {
  test.each([
    { encoding: 'gzip', compress: gzipSync },
    { encoding: 'X-GZIP', compress: gzipSync },
    { encoding: 'deflate', compress: deflateSync },
    { encoding: 'identity', compress: (bytes: Buffer) => bytes },
  ])('is read: $encoding', async ({ encoding, compress }) => {
    const reply = await send('/v1/agents', compress(Buffer.from(agent('a'))), {
      'content-encoding': encoding,
    });

    expect(reply.statusCode, reply.body).toBe(201);
  });

  test('is read in forms and uploads', async () => {
    const form = await formOf(sound());
    const avatar = await service.call('POST', '/v1/avatars', {
      payload: gzipSync(form.payload),
      headers: { ...form.headers, 'content-encoding': 'gzip' },
    });
    const created = await send('/v1/knowledge-files', Buffer.from('{"name":"a","format":"text"}'));
    const url = `/v1/knowledge-files/${created.json().id}`;
    const chunk = await service.call('PUT', `${url}/upload?chunk_number=0`, {
      payload: gzipSync('hello'),
      headers: { 'content-encoding': 'gzip' },
    });

    expect([avatar.statusCode, chunk.statusCode]).toEqual([201, 204]);
    expect((await service.call('POST', `${url}/submit`)).json()).toMatchObject({
      content: 'hello',
    });
  });

  test.each([
    {
      what: 'that is larger than allowed',
      bytes: gzipSync(Buffer.alloc(10 * 1024 ** 2)),
      status: 413,
    },
    { what: 'that is none', bytes: Buffer.from(agent('a')), status: 400 },
    { what: 'that is cut', bytes: gzipSync(agent('a')).subarray(0, -9), status: 400 },
    { what: 'of brotli', bytes: brotliCompressSync(agent('a')), encoding: 'br', status: 415 },
    { what: 'of two encodings', bytes: gzipSync(agent('a')), encoding: 'gzip, gzip', status: 415 },
  ])('$what is refused: $status', async ({ bytes, encoding = 'gzip', status }) => {
    const reply = await send('/v1/agents', bytes, { 'content-encoding': encoding });

    expect(reply.statusCode, reply.body).toBe(status);
  });
});

describe('JSON by another name', () => {
  test.each([
    'application/vnd.api+json',
    'application/ld+json; profile="x"',
    'text/json; charset=utf-8',
    'Application/JSON;charset=UTF-8',
    'application/problem+json',
  ])('is read: %s', async (type) => {
    const reply = await send('/v1/agents', Buffer.from(agent('a')), { 'content-type': type });

    expect(reply.statusCode, reply.body).toBe(201);
  });

  test('is read by vendor doors', async () => {
    const reply = await send(
      '/compat/tavus/personas',
      Buffer.from('{"default_replica_id":"nora"}'),
      {
        'content-type': 'text/json',
      },
    );

    expect(reply.json()).toEqual({ persona_id: 'nora' });
  });

  test.each(['application/jsonp', 'application/x-ndjson', 'text/html', 'application/xml+jsonx'])(
    'is something else: %s',
    async (type) => {
      const reply = await send('/v1/agents', Buffer.from(agent('a')), { 'content-type': type });

      expect(reply.statusCode, reply.body).toBe(415);
    },
  );
});

describe('bodies that always worked', () => {
  test.each([
    { what: 'a byte order mark', payload: `\ufeff${agent('a')}`, status: 201 },
    { what: 'white space', payload: `\r\n ${agent('a')}\n`, status: 201 },
    { what: 'an empty body', payload: '', status: 422 },
  ])('$what', async ({ payload, status }) => {
    expect((await send('/v1/agents', Buffer.from(payload))).statusCode).toBe(status);
  });

  test('an empty body of any type, where none is needed', async () => {
    for (const type of ['application/json', 'text/plain', 'application/octet-stream']) {
      const reply = await send('/v1/auth/verify', Buffer.alloc(0), { 'content-type': type });
      expect(reply.statusCode).toBe(405);
    }
  });
});
