import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { systemClock } from '#shared/clock.ts';
import { API_KEY, buildApp, NORA, roomToken } from '../support/build-app.ts';
import { PhotoAvatars } from '../support/photo-avatars.ts';
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
  slots: 0,
  clock: systemClock,
  env: { REQUESTS_PER_MINUTE: '1000000000', CHAT_CALLS_PER_HOUR: '1000000', TROUPE_ADMIN_PASSWORD },
  // Whoever finds every slot taken is told so at once. The fuzzer may think for seconds, in this very process: no worker is silent because of it.
  times: {
    gateway: { pingEveryMs: 86_400_000, answerMs: 86_400_000 },
    sessions: { reserveMs: 1 },
  },
});
const worker = await service.join({ slots: SLOTS, abilities: ['bundles', 'builds'] });
const agent = await service.joinAgent({ slots: SLOTS });
// Nobody wants its face: it may be drained.
await service.join({ slots: 1, avatars: [] });
const performing = [perform(worker), buildAvatars(await PhotoAvatars.open(service, worker))];
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
const operatorKey = await makeStranger('operator');
const fuzzer = new Fuzzer({
  url: service.url,
  document: (await service.app.server.inject({ url: '/openapi.json' })).json<ApiDocument>(),
  spared: [worker.workerId, agent.workerId],
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
  await Promise.all(performing);
  receiver.close();
});

function credentials(key: string): Credentials {
  return {
    apiKey: { header: 'x-api-key', value: key },
    operatorKey: { header: 'x-api-key', value: operatorKey },
    // Of each call its own.
    roomToken: { header: 'authorization', value: 'Bearer of nothing' },
    adminPassword: { header: 'authorization', value: `Bearer ${TROUPE_ADMIN_PASSWORD}` },
  };
}

async function makeStranger(scope = 'all'): Promise<string> {
  const headers = { authorization: `Bearer ${TROUPE_ADMIN_PASSWORD}` };
  const post = async (url: string, payload: object) =>
    (await service.call('POST', url, { headers, payload })).json<{ id: string; key: string }>();
  const { id } = await post('/admin/accounts', { name: 'another', plan: 'unlimited' });
  return (await post(`/admin/accounts/${id}/keys`, { name: 'key', scope })).key;
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

/** As soon as they are asked for. */
async function buildAvatars(photos: PhotoAvatars): Promise<void> {
  while (worker.isConnected) {
    try {
      await photos.finish();
    } catch (error) {
      if (worker.isConnected) throw error;
    }
  }
}

const MORE_SEEDS = 5;

const open = () => service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });

describe('a client that knows the document only', () => {
  test.each(fuzzer.operations)('$name', { timeout: 600_000 }, async (operation) => {
    const check = (seed: number) =>
      fc.assert(
        fc.asyncProperty(fuzzer.drafts(operation), (draft) => fuzzer.check(operation, draft)),
        { numRuns, seed },
      );
    const statuses = () => [...(fuzzer.seen.get(operation.name)?.keys() ?? [])];
    const wasTaken = () => statuses().some((status) => status < 300);
    await check(seed);
    // What there is to be named differs from run to run, and what earlier requests did to it: a file with a rotten chunk is never read.
    for (let more = 1; more <= MORE_SEEDS && !wasTaken(); more++) {
      fuzzer.startAnew(operation);
      await check(seed + more);
    }

    // Else it was only ever refused, which says little.
    expect(wasTaken(), statuses().join()).toBe(true);
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
