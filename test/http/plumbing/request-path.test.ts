import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestPath } from '../../../src/http/plumbing/request-path.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

let service: BuiltApp;
beforeAll(async () => {
  service = await buildApp({ slots: 0 });
});
afterAll(() => service.close());

describe('the path of a request', () => {
  test.each([
    ['/v1/avatar?limit=1', '/v1/avatar'],
    ['/v1/%61vatar', '/v1/avatar'],
    ['/%76%31/avatar#x', '/v1/avatar'],
    ['/v1/avatar%2Fx', '/v1/avatar%2Fx'],
    ['/v1/avatar/%zz', '/v1/avatar/%zz'],
    ['/v1/%2561vatar', '/v1/%61vatar'],
    ['http://troupe.example/v1/avatar', '/v1/avatar'],
  ])('%s is %s', (target, path) => {
    expect(requestPath(target)).toBe(path);
  });
});

describe('a path written with escapes', () => {
  test.each([
    '/v1/%61vatar',
    `/%761/avatar/${FIRST_AVATAR.alias}`,
    '/v1/avatar/%zz',
    '/v1/%61vatar/%zz',
    '/v1/%61vatar/x/y',
  ])('is deprecated all the same: %s', async (url) => {
    const reply = await service.call('GET', url);

    expect(reply.headers).toMatchObject({
      deprecation: expect.stringMatching(/^@\d{10}$/),
      link: expect.stringContaining('/v1/avatars>; rel="successor-version"'),
    });
  });

  test.each(['/v1/%63hat/some-agent', '/%76%31/chat/some-agent'])(
    'opens the chat to no other origin: %s',
    async (url) => {
      const headers = { origin: 'https://somebody.example' };

      const reply = await service.call('GET', url, { headers });

      expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
    },
  );

  test('has the same methods', async () => {
    const reply = await service.call('DELETE', '/v1/%73essions');

    expect(reply.statusCode).toBe(405);
    expect(reply.headers['allow']).toContain('POST');
  });
});

describe('a trailing slash', () => {
  test.each([
    '/v1/avatars',
    `/v1/avatars/${FIRST_AVATAR.alias}`,
    '/v1/avatar',
    '/v1/sessions',
    '/healthz',
    '/openapi.json',
    '/docs/api/console',
    `/avatars/${FIRST_AVATAR.alias}/picture`,
  ])('names the same resource: %s', async (url) => {
    const plain = await service.call('GET', url);
    const slashed = await service.call('GET', `${url}/`);

    expect(plain.statusCode).toBe(200);
    expect(slashed.statusCode).toBe(200);
  });

  test('stands for no id', async () => {
    const replies = await Promise.all(
      ['/v1/sessions//end', '/avatars//picture'].map((url) =>
        service.call(url.endsWith('end') ? 'POST' : 'GET', url),
      ),
    );

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([405, 404]);
  });

  test('has the same methods', async () => {
    const reply = await service.call('DELETE', '/v1/sessions/');

    expect(reply.statusCode).toBe(405);
  });
});
