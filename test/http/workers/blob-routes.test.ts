import { setImmediate as nextTurn } from 'node:timers/promises';
import { fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blobPath } from '#protocol/worker/blob-path.ts';
import { blobRoutes } from '../../../src/http/workers/blob-routes.ts';
import { hashOf } from '../../../src/records/blobs.ts';
import { API_KEY, buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { PhotoAvatars } from '../../support/api/photo-avatars.ts';
import { TestClock } from '../../support/test-clock.ts';

let service: BuiltApp;
let photos: PhotoAvatars;
beforeAll(async () => {
  service = await buildApp();
  photos = await PhotoAvatars.open(service);
});
afterAll(() => service.close());

const bytes = Buffer.from([0, 255, 128, 10, 0]);

describe('blobs for workers', () => {
  test('are downloaded as uploaded', async () => {
    const hash = await photos.put(bytes);

    const reply = await photos.blob('GET', hash);

    expect(reply.statusCode).toBe(200);
    expect(reply.rawPayload).toEqual(bytes);
  });

  test('are not found under an unknown hash', async () => {
    expect((await photos.blob('GET', hashOf(Buffer.from('unknown')))).statusCode).toBe(404);
    expect((await photos.blob('GET', '..%2ftroupe.sqlite')).statusCode).toBe(404);
  });

  test('are refused under a wrong hash', async () => {
    const reply = await photos.blob('PUT', hashOf(Buffer.from('other')), bytes);

    expect(reply.statusCode).toBe(400);
  });

  test('are refused when they are too large', async () => {
    const much = Buffer.alloc(33 * 1024 ** 2);

    expect((await photos.blob('PUT', hashOf(much), much)).statusCode).toBe(413);
  });

  test.each([{}, { authorization: `Bearer ${API_KEY}` }, { 'x-api-key': API_KEY }])(
    'are refused to other callers: %o',
    async (headers) => {
      const url = blobPath(await photos.put(bytes));

      const reply = await service.app.server.inject({ url, headers });

      expect(reply.statusCode).toBe(401);
    },
  );
});

test('blobs are read one at a time, however many workers start at once', async () => {
  let atOnce = 0;
  let most = 0;
  const read = async () => {
    most = Math.max(most, (atOnce += 1));
    await nextTurn();
    atOnce -= 1;
    return bytes;
  };
  const app = fastify();
  const workerTokens = { check: async () => ({ kind: 'avatar' }) };
  const services = { records: { blobs: { read } }, workerTokens, clock: new TestClock() };
  await app.register(blobRoutes(services as never));

  const replies = await Promise.all(
    Array.from({ length: 20 }, () => app.inject(blobPath(hashOf(bytes)))),
  );

  expect(replies.map(({ statusCode }) => statusCode)).toEqual(replies.map(() => 200));
  expect(most).toBe(1);
  await app.close();
});
