import fastify, { type FastifyInstance, type InjectOptions } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PageTokens, pageTokenRoutes } from '../../../src/http/auth/page-token.ts';
import { TestClock } from '../../support/test-clock.ts';

let app: FastifyInstance;
let clock: TestClock;
let tokens: PageTokens;

beforeEach(async () => {
  clock = new TestClock();
  tokens = new PageTokens(clock);
  app = fastify();
  await app.register(pageTokenRoutes(tokens, null));
});
afterEach(() => app.close());

type Caller = Pick<InjectOptions, 'remoteAddress'> & { headers?: Record<string, string> };

const ask = ({ headers, remoteAddress = '127.0.0.1' }: Caller = {}) =>
  app.inject({
    method: 'POST',
    url: '/page-token',
    remoteAddress,
    headers: { host: 'localhost:8080', origin: 'http://localhost:8080', ...headers },
  });

describe('page token', () => {
  test("is issued to Troupe's own page on this machine", async () => {
    const reply = await ask();

    expect(reply.statusCode).toBe(201);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.json().expires_in_seconds).toBe(600);
    expect(tokens.check(reply.json().token)).toBe(true);
  });

  test.each([
    { host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080', remoteAddress: '::ffff:127.0.0.1' },
    { host: '[::1]:8080', origin: 'http://[::1]:8080', remoteAddress: '::1' },
    { host: 'localhost', origin: 'http://localhost', remoteAddress: '127.9.9.9' },
  ])('is issued under $host to $remoteAddress', async ({ host, origin, remoteAddress }) => {
    const reply = await ask({ headers: { host, origin }, remoteAddress });

    expect(reply.statusCode).toBe(201);
  });

  test.each(['192.168.1.20', '10.0.0.1', '::ffff:192.168.1.20', 'fe80::1', '2001:db8::1'])(
    'is refused to a remote address, %s',
    async (remoteAddress) => {
      const reply = await ask({ remoteAddress });

      expect(reply.statusCode).toBe(403);
    },
  );

  test.each([
    'troupe.example.com',
    'localhost.example.com',
    'localhost@example.com',
    '127.0.0.1.nip.io:8080',
    '192.168.1.20:8080',
    '[::2]',
  ])('is refused under the name %s', async (host) => {
    const reply = await ask({ headers: { host, origin: `http://${host}` } });

    expect(reply.statusCode).toBe(403);
  });

  test.each([
    'https://example.com',
    'http://localhost.example.com:8080',
    'http://localhost:3000',
    'http://127.0.0.1:8080',
    'null',
    'file://',
    '',
  ])('is refused to the origin "%s"', async (origin) => {
    const reply = await ask({ headers: { origin } });

    expect(reply.statusCode).toBe(403);
  });

  test.each(['elsewhere@localhost:8080', 'localhost:8080/x', 'localhost:port'])(
    'is refused under a malformed Host, %s',
    async (host) => {
      const reply = await ask({ headers: { host } });

      expect(reply.statusCode).toBe(403);
    },
  );

  test('is refused without Origin', async () => {
    const reply = await app.inject({
      method: 'POST',
      url: '/page-token',
      headers: { host: 'localhost:8080' },
    });

    expect(reply.statusCode).toBe(403);
  });

  test.each([
    'forwarded',
    'via',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-forwarded',
    'x-real-ip',
    'x-client-ip',
    'true-client-ip',
    'cf-connecting-ip',
    'fly-client-ip',
  ])('is refused behind a proxy that sends %s', async (name) => {
    const reply = await ask({ headers: { [name]: '127.0.0.1' } });

    expect(reply.statusCode).toBe(403);
  });

  test('is not issued to GET', async () => {
    const reply = await app.inject({ method: 'GET', url: '/page-token' });

    expect(reply.statusCode).toBe(404);
  });

  test('is valid for ten minutes', () => {
    const { token } = tokens.issue();

    clock.advance(599_999);
    expect(tokens.check(token)).toBe(true);

    clock.advance(1);
    expect(tokens.check(token)).toBe(false);
  });

  test('cannot be forged, extended or reused from another process', () => {
    const { token } = tokens.issue();
    const [expires, signature] = token.split('.');

    expect(tokens.check(`${Number(expires) + 1}.${signature}`)).toBe(false);
    expect(tokens.check(`${expires}.`)).toBe(false);
    expect(tokens.check(`${expires}`)).toBe(false);
    expect(tokens.check('')).toBe(false);
    expect(tokens.check('NaN.NaN')).toBe(false);
    expect(new PageTokens(clock).check(token)).toBe(false);
  });
});
