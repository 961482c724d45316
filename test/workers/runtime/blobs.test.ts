import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { controlBlobs, nameOf } from '../../../workers/runtime/blobs.ts';
import { buildApp, WORKER_TOKEN, type BuiltApp } from '../../support/api/build-app.ts';
import { TestClock } from '../../support/test-clock.ts';

const clock = new TestClock();
let service: BuiltApp;
beforeAll(async () => {
  service = await buildApp({ slots: 0 });
});
afterAll(async () => {
  await service.close();
  expect(clock.waiting, 'timers left').toBe(0);
});

const blobs = (options: { token?: string; url?: string } = {}) =>
  controlBlobs({ url: service.url, token: WORKER_TOKEN, clock, ...options });
const bytes = Buffer.from([0, 255, 128, 10, 0]);

describe('blobs of the control plane', () => {
  test('are fetched as they were stored, also through the ws address of the gateway', async () => {
    const hash = await blobs().put(bytes);

    expect(hash).toBe(nameOf(bytes));
    const url = service.url.replace('http', 'ws');
    expect(Buffer.from(await blobs({ url }).get(hash))).toEqual(bytes);
  });

  test.each([
    { what: 'unknown', given: {} },
    { what: 'not for this token', given: { token: 'another token' } },
    { what: 'where nobody is', given: { url: 'http://127.0.0.1:9' } },
  ])('are unavailable when they are $what', async ({ given }) => {
    const getting = blobs(given).get(nameOf(Buffer.from('unknown')));

    await expect(getting).rejects.toMatchObject({ name: 'BlobUnavailable' });
  });

  test('fail when a transfer takes longer than 30 s', async () => {
    const silent = createServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const getting = blobs({ url: `http://127.0.0.1:${port}` }).get(nameOf(bytes));
    await once(silent, 'request');

    clock.advance(30_000);

    await expect(getting).rejects.toMatchObject({ name: 'BlobUnavailable' });
    silent.closeAllConnections();
    silent.close();
  });

  test('are aborted by the signal', async () => {
    await expect(blobs().put(bytes, AbortSignal.abort())).rejects.toMatchObject({
      name: 'BlobUnavailable',
    });
  });
});
