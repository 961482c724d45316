import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { whileConnected } from '../../../src/http/plumbing/while-connected.ts';

let signals: AbortSignal[];
let end: PromiseWithResolvers<string>;
let app: FastifyInstance;
let url: string;
beforeEach(async () => {
  signals = [];
  end = Promise.withResolvers<string>();
  app = fastify({ forceCloseConnections: true });
  app.get('/', async (_request, reply) => {
    signals.push(whileConnected(reply));
    return end.promise;
  });
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  end.resolve('late');
  await app.close();
});

test('work for a client that is gone is aborted', async () => {
  const client = new AbortController();
  const answer = fetch(url, { signal: client.signal }).catch(() => 'gone');
  await expect.poll(() => signals.length).toBe(1);
  expect(signals[0]!.aborted).toBe(false);

  client.abort();

  expect(await answer).toBe('gone');
  await expect.poll(() => signals[0]!.aborted).toBe(true);
});

test('work for a client that waits goes on', async () => {
  const answer = fetch(url).then((reply) => reply.text());
  await expect.poll(() => signals.length).toBe(1);
  expect(signals[0]!.aborted).toBe(false);

  end.resolve('answer');

  expect(await answer).toBe('answer');
});
