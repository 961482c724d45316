import type { InjectOptions } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PageCode } from '../../../src/http/auth/page-code.ts';
import { PageTokens } from '../../../src/http/auth/page-token.ts';
import { TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { newPlace } from '../../support/records/database.ts';
import { TestClock } from '../../support/test-clock.ts';

let service: BuiltApp;

type More = Omit<InjectOptions, 'method' | 'url'>;

const askAt = ({ app }: BuiltApp, payload: object, options: More = {}) =>
  app.server.inject({ method: 'POST', url: '/page-token', payload, ...options });

const ask = (payload: object = {}, options: More = {}) => askAt(service, payload, options);

const opens = async (token: string): Promise<boolean> => {
  const headers = { 'x-api-key': '', 'x-page-token': token };
  return (await service.call('GET', '/v1/avatars', { headers })).statusCode === 200;
};

describe('a page token', () => {
  beforeEach(async () => {
    service = await buildApp({ slots: 0 });
  });
  afterEach(() => service.close());

  test('is issued for the code of the printed link, from any address', async () => {
    const reply = await ask(
      { code: service.app.pageCode },
      { remoteAddress: '203.0.113.1', headers: { host: 'troupe.example' } },
    );

    expect(reply.statusCode).toBe(201);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.json().expires_in_seconds).toBe(600);
    expect(await opens(reply.json().token)).toBe(true);
  });

  test('is not needed by a browser that is signed in to the console', async () => {
    const headers = { 'sec-fetch-site': 'same-origin', 'x-troupe-console': '1' };
    const code = await service.app.newConsoleCode();
    const signIn = await service.app.server.inject({
      method: 'POST',
      url: '/console/api/links/use',
      headers,
      payload: { code },
    });
    const cookie = String(signIn.headers['set-cookie']).split(';')[0]!;

    const own = await ask({}, { headers: { ...headers, cookie } });
    const foreign = await ask({}, { headers: { 'sec-fetch-site': 'cross-site', cookie } });

    expect([own.statusCode, own.json()]).toEqual([201, {}]);
    expect(foreign.statusCode).toBe(403);
  });

  test.each([
    { from: 'this machine', remoteAddress: '127.0.0.1' },
    { from: 'this machine by IPv6', remoteAddress: '::1' },
    { from: 'another machine', remoteAddress: '203.0.113.1' },
  ])('is refused without a code from $from, and says what to do', async ({ remoteAddress }) => {
    const headers = { host: 'localhost:8080', origin: 'http://localhost:8080' };

    const empty = await ask({}, { remoteAddress, headers });
    const without = await service.app.server.inject({
      method: 'POST',
      url: '/page-token',
      remoteAddress,
      headers,
    });

    expect([empty.statusCode, without.statusCode]).toEqual([403, 403]);
    expect(empty.json()).toMatchObject({
      detail: 'This browser needs the link that npm start printed.',
    });
  });

  test('is issued once for a code, also when two browsers ask at once', async () => {
    const { pageCode: code } = service.app;

    const replies = await Promise.all([ask({ code }), ask({ code })]);
    const later = await ask({ code });

    expect(replies.map((reply) => reply.statusCode).toSorted((a, b) => a - b)).toEqual([201, 403]);
    expect(later.json().detail).toMatch(/already used.*npm start printed last/);
  });

  test('is refused for a wrong code, which leaves the right one valid', async () => {
    const wrong = await Promise.all(
      ['', 'x', `${service.app.pageCode}x`].map((code) => ask({ code })),
    );
    const right = await ask({ code: service.app.pageCode });

    expect(wrong.map((reply) => reply.statusCode)).toEqual([403, 403, 403]);
    expect(right.statusCode).toBe(201);
  });

  test('is renewed with the refresh token for a day after its last use', async () => {
    const { refresh_token: firstToken } = (await ask({ code: service.app.pageCode })).json();
    service.clock.leap(86_399_999);
    const { token, refresh_token: secondToken } = (await ask({ refresh_token: firstToken })).json();
    service.clock.leap(86_399_999);
    const renewal = await ask({ refresh_token: secondToken });
    service.clock.advance(1);
    const late = await ask({ refresh_token: secondToken });

    expect(await opens(token)).toBe(false);
    expect([renewal.statusCode, late.statusCode]).toEqual([201, 403]);
  });

  test('is refused to an address that keeps guessing', async () => {
    const limited = await buildApp({ slots: 0, env: { REQUESTS_PER_MINUTE: '2' } });
    const guess = () =>
      limited.app.server.inject({ method: 'POST', url: '/page-token', payload: { code: 'x' } });

    const replies = await Promise.all(Array.from({ length: 12 }, guess));
    await limited.close();

    expect(replies.filter((reply) => reply.statusCode === 429)).toHaveLength(2);
  });

  test('is not issued to GET', async () => {
    const reply = await service.app.server.inject({ method: 'GET', url: '/page-token' });

    expect(reply.statusCode).toBe(405);
  });

  test('needs the new code after a restart, unless the browser was let in before', async () => {
    const place = await newPlace();
    const firstService = await buildApp({ slots: 0, place });
    const old = firstService.app.pageCode;
    const { refresh_token } = (await askAt(firstService, { code: old })).json();
    await firstService.close();
    const secondService = await buildApp({ slots: 0, place });
    const { pageCode: code } = secondService.app;

    const withOld = await askAt(secondService, { code: old });
    const knownReply = await askAt(secondService, { code, refresh_token });
    const otherReply = await askAt(secondService, { code });
    await secondService.close();
    await place.remove();

    expect(withOld.statusCode).toBe(403);
    // The known browser leaves the code to another one.
    expect([knownReply.statusCode, otherReply.statusCode]).toEqual([201, 201]);
  });

  test('tells a page without a link to ask for the admin password, where there is one', async () => {
    const open = await buildApp({ slots: 0, env: { TROUPE_ADMIN_PASSWORD } });

    const reply = await open.app.server.inject({ method: 'POST', url: '/page-token' });
    await open.close();

    expect(reply.json()).toMatchObject({ detail: expect.any(String), instead: 'admin_password' });
  });
});

describe('page tokens', () => {
  const secret = Buffer.alloc(32, 1);
  const clock = new TestClock();
  const parts = { secret, adminPassword: TROUPE_ADMIN_PASSWORD, clock };
  const tokens = new PageTokens(parts);

  test('are valid for ten minutes', () => {
    const token = tokens.issue('page');

    clock.advance(599_999);
    expect(tokens.opens(token)).toBe(true);

    clock.advance(1);
    expect(tokens.opens(token)).toBe(false);
  });

  test('cannot be forged, extended, used as the other kind, or made by another service', () => {
    const token = tokens.issue('page');
    const [expires, signature] = token.split('.');

    expect(tokens.opens(`${Number(expires) + 1}.${signature}`)).toBe(false);
    for (const wrong of [`${expires}.`, `${expires}`, '', 'NaN.NaN'])
      expect(tokens.opens(wrong), wrong).toBe(false);
    expect(tokens.check(token, 'refresh')).toBe(false);
    expect(tokens.opens(tokens.issue('refresh'))).toBe(false);
    expect(new PageTokens({ ...parts, secret: Buffer.alloc(32, 2) }).opens(token)).toBe(false);
    expect(new PageTokens(parts).opens(token)).toBe(true);
  });

  test.each(['another password', undefined])(
    'issued for the admin password end with it: now %s',
    (adminPassword) => {
      const changed = new PageTokens({ ...parts, adminPassword });

      expect(tokens.opens(tokens.issue('password'))).toBe(true);
      expect(changed.opens(tokens.issue('password'))).toBe(false);
      expect(changed.opens(tokens.issue('page'))).toBe(true);
    },
  );
});

describe('a page code', () => {
  test('is used once, is long, and differs from every other', () => {
    const code = new PageCode();

    expect(code.text).toMatch(/^\w{24}$/);
    expect(code.text).not.toBe(new PageCode().text);
    expect([code.use('x'), code.use(code.text), code.use(code.text)]).toEqual([false, true, false]);
  });
});
