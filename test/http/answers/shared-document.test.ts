import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';

let service: BuiltApp;
beforeAll(async () => void (service = await buildApp({ slots: 0 })));
afterAll(() => service.close());

const get = (headers: Record<string, string> = {}, url = '/openapi.json') =>
  service.app.server.inject({ url, headers });

test.each([
  { url: '/openapi.json', begins: '{"openapi"' },
  { url: '/docs/api/console/json', begins: '{"openapi"' },
  { url: '/docs/api/console/yaml', begins: 'openapi:' },
])('$url is compressed for those who take it', async ({ url, begins }) => {
  const [plain, compressed] = [
    await get({}, url),
    await get({ 'accept-encoding': 'br, gzip' }, url),
  ];

  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.body.startsWith(begins)).toBe(true);
  expect(compressed.headers['content-encoding']).toBe('gzip');
  expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4);
  expect(gunzipSync(compressed.rawPayload).toString()).toBe(plain.body);
});

test.each(['gzip;q=0', 'gzip;q=0.0', 'identity', 'x-gzip2'])(
  '%s is no wish for gzip',
  async (accepted) => {
    expect(
      (await get({ 'accept-encoding': accepted })).headers['content-encoding'],
    ).toBeUndefined();
  },
);

test('a client that has it gets 304', async () => {
  const { headers } = await get();
  const etag = String(headers['etag']);

  const replies = await Promise.all(
    [etag, `W/${etag}`, `"other", ${etag}`, '"other"'].map((name) =>
      get({ 'if-none-match': name }),
    ),
  );

  expect(replies.map(({ statusCode }) => statusCode)).toEqual([304, 304, 304, 200]);
  expect(headers['vary']).toContain('accept-encoding');
});
