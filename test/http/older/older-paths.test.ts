import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { replyToError } from '../../../src/http/errors/fault-replies.ts';
import { olderPaths } from '../../../src/http/older/older-paths.ts';
import { TestClock } from '../../support/test-clock.ts';

let app: FastifyInstance;
let clock: TestClock;

beforeEach(() => {
  clock = new TestClock(Date.UTC(2026, 5, 30, 23, 59));
  const older = olderPaths(clock, {
    session: { successor: 'sessions', since: '2026-01-01', sunset: '2026-07-01' },
    avatar: { successor: 'avatars', since: '2026-02-01' },
  });
  app = fastify();
  app.setErrorHandler(replyToError);
  app.addHook('onRequest', async (request, reply) => {
    older.mark(request, reply, 'https://troupe.example');
    older.check(request);
  });
  for (const name of ['session', 'session/:id', 'avatar', 'sessions']) {
    app.get(`/v1/${name}`, async () => 'there');
  }
});
afterEach(() => app.close());

describe('a deprecated path with a sunset date', () => {
  test('sends Sunset and answers until that date', async () => {
    const reply = await app.inject({ url: '/v1/session/1' });

    expect(reply.statusCode).toBe(200);
    expect(reply.headers).toMatchObject({
      deprecation: '@1767225600',
      link: '<https://troupe.example/v1/sessions>; rel="successor-version"',
      sunset: 'Wed, 01 Jul 2026 00:00:00 GMT',
    });
  });

  test.each(['/v1/session', '/v1/session/1', '/v1/session?limit=1'])(
    'answers 410 from then on and still links to its successor: %s',
    async (url) => {
      clock.advance(60_000);

      const reply = await app.inject({ url });

      expect(reply.statusCode).toBe(410);
      expect(reply.json()).toMatchObject({ detail: 'This endpoint has been retired.' });
      expect(reply.headers).toMatchObject({
        link: '<https://troupe.example/v1/sessions>; rel="successor-version"',
        sunset: 'Wed, 01 Jul 2026 00:00:00 GMT',
      });
    },
  );

  test.each(['/v1/avatar', '/v1/sessions'])('does not affect other paths: %s', async (url) => {
    clock.advance(60_000);

    const reply = await app.inject({ url });

    expect(reply.statusCode).toBe(200);
    expect(reply.headers).not.toHaveProperty('sunset');
  });
});
