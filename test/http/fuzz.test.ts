import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { systemClock } from '#shared/clock.ts';
import { API_KEY, buildApp, NORA, roomToken } from '../support/build-app.ts';
import type { SimulatedWorker } from '../support/simulated-worker.ts';
import type { ApiDocument } from './fuzz/document.ts';
import { Fuzzer } from './fuzz/fuzzer.ts';
import type { Credentials } from './fuzz/request.ts';

/* FUZZ_RUNS: requests for each operation. FUZZ_SEED: another course, or that of a failure. */
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 40);
const seed = Number(process.env['FUZZ_SEED'] ?? 5);
const SLOTS = 1_000;
const TROUPE_ADMIN_PASSWORD = 'a password of whoever runs it';

const service = await buildApp({
  slots: SLOTS,
  clock: systemClock,
  env: { REQUESTS_PER_MINUTE: '1000000000', TROUPE_ADMIN_PASSWORD },
  // Whoever finds every slot taken is told so at once.
  times: { gateway: { pingEveryMs: 86_400_000 }, sessions: { reserveMs: 1 } },
});
const worker = service.workers[0]!;
const performing = perform(worker);
/** By the worker's own word, when all that was on its way has come. */
const isFull = async () => {
  await worker.atRest();
  return worker.performing.size >= SLOTS;
};
let mayBeFull = false;

const receiver = createServer((request, response) => {
  request.resume();
  response.writeHead(204).end();
});
receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');

const exp = Math.floor(systemClock.now() / 1000) + 3_600;
const rooms = ['one', 'two', 'three', 'four'];
const fuzzer = new Fuzzer({
  url: service.url,
  document: (await service.app.server.inject({ url: '/openapi.json' })).json<ApiDocument>(),
  self: credentials(API_KEY),
  stranger: credentials(await makeStranger()),
  supplies: {
    roomTokens: await Promise.all(
      rooms.map((room) => roomToken({ roomJoin: true, room }, { exp })),
    ),
    webhookUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
  },
  isFull,
});

afterAll(async () => {
  fuzzer.close();
  await service.close();
  await performing;
  receiver.close();
});

function credentials(key: string): Credentials {
  return {
    apiKey: { header: 'x-api-key', value: key },
    adminPassword: { header: 'authorization', value: `Bearer ${TROUPE_ADMIN_PASSWORD}` },
  };
}

async function makeStranger(): Promise<string> {
  const headers = { authorization: `Bearer ${TROUPE_ADMIN_PASSWORD}` };
  const post = async (url: string, payload: object) =>
    (await service.call('POST', url, { headers, payload })).json<{ id: string; key: string }>();
  const { id } = await post('/admin/accounts', { name: 'another', plan: 'unlimited' });
  return (await post(`/admin/accounts/${id}/keys`, { name: 'key' })).key;
}

/** Some faces come at once, some never; old ones leave before the last slot is taken. */
async function perform(worker: SimulatedWorker): Promise<void> {
  for (let i = 0; worker.isConnected; i++) {
    try {
      const { placement } = await worker.next('assign');
      if (i % 3) await worker.started(placement);
      const oldest = [...worker.performing.values()][0]!;
      if (worker.performing.size > SLOTS * 0.9 && !mayBeFull) {
        await worker.ended(oldest.placement, 'agent_left');
      }
    } catch (error) {
      if (worker.isConnected) throw error;
    }
  }
}

const open = () => service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });

describe('a client that knows the document only', () => {
  test.each(fuzzer.operations)('$name', { timeout: 600_000 }, async (operation) => {
    await fc.assert(
      fc.asyncProperty(fuzzer.drafts(operation), (draft) => fuzzer.check(operation, draft)),
      { numRuns, seed },
    );

    // Else it was only ever refused, which says little.
    const statuses = [...(fuzzer.seen.get(operation.name)?.keys() ?? [])];
    expect(
      statuses.some((status) => status < 300),
      statuses.join(),
    ).toBe(true);
  });

  test(
    'is told to try again when every slot is taken, and not before',
    { timeout: 120_000 },
    async () => {
      mayBeFull = true;
      while (!(await isFull())) {
        const free = SLOTS - worker.performing.size;
        const replies = await Promise.all(Array.from({ length: Math.min(free, 100) }, open));
        expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([201]));
      }

      // Another course than before: what was asked for already is answered as it was.
      const opening = fuzzer.operations.filter(({ responses }) => '503' in responses);
      for (const operation of opening) {
        await fc.assert(
          fc.asyncProperty(fuzzer.soundDrafts(operation), (draft) =>
            fuzzer.check(operation, draft),
          ),
          { numRuns: 20, seed: seed + 1 },
        );
        expect([...fuzzer.seen.get(operation.name)!.keys()], operation.name).toContain(503);
      }

      const [oldest] = worker.performing.values();
      await worker.ended(oldest!.placement, 'agent_left');
      expect((await open()).statusCode).toBe(201);
    },
  );
});
