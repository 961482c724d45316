import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WindowCounts } from '../../../src/http/limits/rate-limit.ts';
import { TROUPE_ADMIN_PASSWORD, makeAccount } from '../../support/api/admin.ts';
import { API_KEY, buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { TestClock } from '../../support/test-clock.ts';

const PER_MINUTE = 10;
const refusal = { detail: 'Too many requests. Please try again shortly.' };

let service: BuiltApp;
beforeEach(async () => {
  const env = { TROUPE_ADMIN_PASSWORD, REQUESTS_PER_MINUTE: String(PER_MINUTE) };
  service = await buildApp({ slots: 0, env });
});
afterEach(() => service.close());

const verify = (headers: Record<string, string> = {}, remoteAddress = '203.0.113.1') =>
  service.app.server.inject({ url: '/v1/auth/verify', headers, remoteAddress });
const ownKey = { 'x-api-key': API_KEY };
const status = async (url: string) =>
  (await service.app.server.inject({ url, headers: ownKey })).statusCode;

const send = async (count: number, ask: () => ReturnType<typeof verify>) => {
  const replies = await Promise.all(Array.from({ length: count }, ask));
  return replies.map((reply) => reply.statusCode);
};
const amount = (statuses: number[], status: number) =>
  statuses.filter((each) => each === status).length;

describe('requests with a key', () => {
  test('get the number of requests left', async () => {
    const firstReply = await verify(ownKey);
    service.clock.advance(20_000);
    const second = await verify(ownKey);

    expect(firstReply.headers).toMatchObject({
      'ratelimit-limit': '10',
      'ratelimit-remaining': '9',
      'ratelimit-reset': '60',
    });
    expect(second.headers).toMatchObject({ 'ratelimit-remaining': '8', 'ratelimit-reset': '40' });
    expect(second.headers).not.toHaveProperty('retry-after');
  });

  test('are refused beyond the limit until the minute is over', async () => {
    service.clock.advance(15_000);
    const statuses = await send(PER_MINUTE + 5, () => verify(ownKey));

    const refused = await verify(ownKey);
    service.clock.advance(44_999);
    const stillRefused = await verify(ownKey);
    service.clock.advance(1);
    const acceptedReply = await verify(ownKey);

    expect(amount(statuses, 204)).toBe(PER_MINUTE);
    expect(amount(statuses, 429)).toBe(5);
    expect(refused.json()).toMatchObject(refusal);
    expect(refused.headers).toMatchObject({
      'retry-after': '45',
      'ratelimit-remaining': '0',
      'content-type': 'application/json; charset=utf-8',
    });
    expect([stillRefused.statusCode, acceptedReply.statusCode]).toEqual([429, 204]);
  });

  test('are counted per key from any address', async () => {
    const { headers } = await makeAccount(service, 'free');
    await send(PER_MINUTE, () => verify(ownKey));

    const [elsewhere, otherKey] = [await verify(ownKey, '203.0.113.9'), await verify(headers)];

    expect([elsewhere.statusCode, otherKey.statusCode]).toEqual([429, 204]);
  });

  test('count on every API path and on no other', async () => {
    await send(PER_MINUTE, () => verify(ownKey));

    const counted = ['/v1/sessions', '/v1/avatars', '/v1/avatar', '/v1/calls'];
    expect(await Promise.all(counted.map(status))).toEqual([429, 429, 429, 429]);
    expect(await Promise.all(['/healthz', '/openapi.json'].map(status))).toEqual([200, 200]);
    // 503 until the pages are built.
    expect([200, 503]).toContain(await status('/'));
  });

  test('expose the limits to other origins', async () => {
    await send(PER_MINUTE, () => verify(ownKey));

    const reply = await verify({ ...ownKey, origin: 'https://somebody.example' });

    expect(reply.statusCode).toBe(429);
    expect(reply.headers['access-control-allow-origin']).toBe('*');
    const exposed = String(reply.headers['access-control-expose-headers']).split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining([
        'retry-after',
        'ratelimit-limit',
        'ratelimit-remaining',
        'ratelimit-reset',
      ]),
    );
  });

  test('have documented limits', async () => {
    const document = (await service.app.server.inject({ url: '/openapi.json' })).json();

    const operations = Object.entries<Record<string, { responses: Record<string, object> }>>(
      document.paths,
    )
      .filter(([path]) => path.startsWith('/v1/'))
      .flatMap(([, methods]) => Object.values(methods));
    expect(operations.length).toBeGreaterThan(20);
    for (const { responses } of operations) {
      expect(responses[429]).toMatchObject({
        headers: { 'retry-after': {}, 'ratelimit-remaining': {} },
      });
    }
  });
});

describe('requests without a valid key', () => {
  const nobody = { 'x-api-key': 'nobody' };

  test('are refused per address beyond five times the limit', async () => {
    const statuses = await send(60, () => verify(nobody));

    const missing = await verify();
    const elsewhere = await verify(nobody, '203.0.113.9');
    service.clock.advance(60_000);
    const later = await verify(nobody);

    expect(amount(statuses, 401)).toBe(50);
    expect(amount(statuses, 429)).toBe(10);
    expect(missing.statusCode).toBe(429);
    expect(missing.headers['retry-after']).toBe('60');
    expect([elsewhere.statusCode, later.statusCode]).toEqual([401, 401]);
  });

  test('do not affect a valid key from the same address', async () => {
    await send(60, () => verify(nobody));

    const reply = await verify(ownKey);

    expect(reply.statusCode).toBe(204);
  });

  test('count an IPv6 network as one address', async () => {
    let host = 0;
    await send(60, () => verify(nobody, `2001:db8:1:2::${(host += 1).toString(16)}`));

    const [sameNetwork, otherNetwork] = [
      await verify(nobody, '2001:db8:1:2:ffff::1'),
      await verify(nobody, '2001:db8:1:3::1'),
    ];

    expect([sameNetwork.statusCode, otherNetwork.statusCode]).toEqual([429, 401]);
  });
});

describe('window counts', () => {
  test('are cleared at the end of the window', () => {
    const clock = new TestClock();
    const counts = new WindowCounts(clock);

    const firstCounts = [counts.add('a'), counts.add('a'), counts.add('b')];
    clock.advance(60_000);
    const nextCount = counts.add('a');

    expect(firstCounts.map(({ current }) => current)).toEqual([1, 2, 1]);
    expect(nextCount).toEqual({ current: 1, ttl: 60_000 });
    expect(clock.waiting).toBe(0);
  });

  test('use a window of another length', () => {
    const clock = new TestClock();
    const counts = new WindowCounts(clock, 3_600_000);

    counts.add('a');
    clock.advance(3_599_000);
    const lastCount = counts.add('a');
    clock.advance(1_000);

    expect(lastCount).toEqual({ current: 2, ttl: 1_000 });
    expect(counts.add('a').current).toBe(1);
  });
});
