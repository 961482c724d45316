/*
 * Random requests that the OpenAPI document allows and whose meaning is odd: each operation with
 * ids of deleted, foreign and unknown resources, in any state, twice at once, and with cursors of
 * other lists. Each answer comes, is no server error and fits the document; another account's
 * things are not found; and records, fleet and worker count the same sessions afterwards. Time
 * stands still, so no answer depends on the speed of the machine. Schemathesis proves the rest
 * (`fuzz/schemathesis.ts`, run by `.ci/run`): values at and beyond the edges of each schema,
 * unreadable bodies and paths, methods, media types and credentials.
 */
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { adminCall, makeAccount, TROUPE_ADMIN_PASSWORD } from '../support/api/admin.ts';
import { Browser, PASSWORD } from '../support/api/browser.ts';
import { API_KEY, buildApp, NORA, roomToken } from '../support/api/build-app.ts';
import { PhotoAvatars } from '../support/api/photo-avatars.ts';
import { WebhookSink } from '../support/api/webhook-sink.ts';
import { DRAWS_FRAMES } from '#protocol/pictures/frames.ts';
import { DRAWS_SHEETS } from '#protocol/pictures/sheets.ts';
import { TAKES_STILLS } from '#protocol/pictures/stills.ts';
import { until } from '../support/until.ts';
import type { ApiDocument, Operation } from './fuzz/document.ts';
import { Fuzzer } from './fuzz/fuzzer.ts';
import type { Credentials, Way } from './fuzz/request.ts';

/**
 * FUZZ_SEED: another sequence, or the one of a failure.
 * FUZZ_RUNS: requests per operation and variant.
 */
const seed = Number(process.env['FUZZ_SEED'] ?? 5);
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 8);
/** For requests that differ only in the resource that they name, or that are refused for it. */
const FEW_RUNS = Math.ceil(RUNS / 4);
const MORE_SEEDS = 10;

const SLOTS = 200;
/** Some are removed. */
const PEOPLE = 20;
const DAY_MS = 86_400_000;

const sink = await WebhookSink.open();
const service = await buildApp({
  slots: 0,
  agentSlots: SLOTS,
  env: {
    TROUPE_ADMIN_PASSWORD,
    CHAT_CALLS_PER_HOUR: '1000000',
    CHAT_CALLS_PER_ADDRESS: '1000000',
    CHAT_CALLS_PER_AGENT: '1000000',
  },
  times: {
    sessions: { reserveMs: 0 },
    // The simulated workers send none.
    gateway: { pingEveryMs: DAY_MS, beatEveryMs: DAY_MS },
  },
});
const { clock } = service;
const abilities = ['bundles', 'builds', 'speech_sources', TAKES_STILLS, DRAWS_SHEETS, DRAWS_FRAMES];
const worker = await service.join({ slots: SLOTS, abilities });
// It gets no session, so it may be drained.
await service.join({ slots: 1, avatars: [] });
const photos = await PhotoAvatars.open(service, worker);
let mayBeFull = false;
const working = [
  // Some sessions never start. Old ones end before the last slot is taken.
  repeat(async (i) => {
    const { placement } = await worker.next('assign');
    if (i % 3) await worker.started(placement);
    if (worker.performing.size > SLOTS * 0.9 && !mayBeFull) await endOldest();
  }),
  repeat(() => photos.finish()),
];

const operator = await makeAccount(service, 'unlimited', 'operator');
const stranger = await makeAccount(service, 'unlimited');
for (let i = 0; i < PEOPLE; i++) await makePerson(`person ${i}`);
const administrator = { name: 'the fuzzer', password: PASSWORD };
await adminCall(service)('POST', '/admins', { payload: administrator });

const rooms = ['one', 'two', 'three', 'four'];
const fuzzer = new Fuzzer({
  url: service.url,
  document: (await service.call('GET', '/openapi.json')).json<ApiDocument>(),
  self: credentials(API_KEY),
  stranger: credentials(stranger.headers['x-api-key']),
  supplies: {
    roomTokens: await Promise.all(rooms.map((room) => roomToken({ roomJoin: true, room }))),
    webhookUrl: sink.url,
    administrator,
  },
  // A key that is revoked or limited could no longer send requests.
  spared: [worker.workerId, service.agents[0]!.workerId, await ownKey(), stranger.keyId],
  passTime: () => clock.advance(100),
});

afterAll(async () => {
  await service.close();
  await Promise.all(working);
  await sink.close();
});

/** Until the worker leaves. */
async function repeat(step: (i: number) => Promise<unknown>): Promise<void> {
  try {
    for (let i = 0; ; i++) await step(i);
  } catch (error) {
    if (worker.isConnected) throw error;
  }
}

async function endOldest(): Promise<void> {
  const [oldest] = worker.performing.values();
  await worker.ended(oldest!.placement, 'agent_left');
}

function credentials(key: string): Credentials {
  return {
    apiKey: { header: 'x-api-key', value: key },
    operatorKey: { header: 'x-api-key', value: operator.headers['x-api-key'] },
    // Each call has its own token.
    roomToken: { header: 'authorization', value: 'Bearer of nothing' },
    adminPassword: { header: 'authorization', value: `Bearer ${TROUPE_ADMIN_PASSWORD}` },
  };
}

async function ownKey(): Promise<string> {
  return (await service.call('GET', '/v1/api-keys')).json().data[0].id;
}

/** Only the console, which the document leaves out, makes people of invitations. */
async function makePerson(name: string): Promise<void> {
  const invited = await service.call('POST', '/v1/invitations', { payload: { role: 'viewer' } });
  await new Browser(service).join(invited.json().link, name);
}

/** Free slots, once the service, its worker and the sessions of all accounts agree. */
async function freeSlots(): Promise<number> {
  await until(async () => {
    await worker.atRest();
    type Worker = { id: string; taken: number; state: string };
    const workers = (await service.call('GET', '/v1/fleet/workers', operator)).json<{
      data: Worker[];
    }>();
    const { taken: takenSlots, state } = workers.data.find(({ id }) => id === worker.workerId)!;
    const ownBody = (await service.call('GET', '/v1/usage')).json();
    const strangerBody = (await service.call('GET', '/v1/usage', stranger)).json();
    const live = ownBody.sessions_live + strangerBody.sessions_live;
    return state === 'ready' && takenSlots === worker.performing.size && takenSlots === live;
  });
  return SLOTS - worker.performing.size;
}

const open = () => service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });

const fuzz = (operation: Operation, variant: Way, runsSeed: number) =>
  fc.assert(
    fc.asyncProperty(fuzzer.drafts(operation, variant), (draft) =>
      fuzzer.check(operation, variant, draft),
    ),
    {
      numRuns: variant.part !== 'path' && fuzzer.isVaried(operation) ? RUNS : FEW_RUNS,
      seed: runsSeed,
      // A smaller request would meet another state of things.
      endOnFailure: true,
    },
  );

describe('a client that knows only the OpenAPI document', () => {
  test.each(fuzzer.operations)('$name', async (operation) => {
    const statuses = () => [...(fuzzer.seen.get(operation) ?? [])];
    const wasTaken = () => statuses().some((status) => status < 300);
    const [sound, ...odd] = fuzzer.waysOf(operation);
    await fuzz(operation, sound!, seed);
    // Known resources vary per run, e.g. a file with an invalid chunk can never be read: try new
    // ones until a request succeeds.
    for (let offset = 1; offset <= MORE_SEEDS && !wasTaken(); offset++) {
      fuzzer.startAnew(operation);
      await fuzz(operation, sound!, seed + offset);
    }
    for (const variant of odd) await fuzz(operation, variant, seed);

    // An operation that was only ever refused is hardly tested.
    expect(wasTaken(), statuses().join()).toBe(true);
  });

  test('gets 503 only when every slot is taken', async () => {
    mayBeFull = true;
    const opening = fuzzer.operations.filter(({ responses }) =>
      responses['503']?.description?.includes('free slot'),
    );
    const answers = await Promise.all(Array.from({ length: await freeSlots() }, open));
    fuzzer.isFull = true;

    for (const operation of opening) {
      // Earlier requests may have changed all known agents so that they refuse calls.
      fuzzer.startAnew(operation);
      // Another sequence: repeated requests would get their stored answers.
      await fuzz(operation, { part: 'nothing' }, seed + MORE_SEEDS + 1);
      expect(fuzzer.seen.get(operation), operation.name).toContain(503);
      expect(await freeSlots(), operation.name).toBe(0);
    }

    expect(answers.filter(({ statusCode }) => statusCode !== 201)).toEqual([]);
    expect(opening.length).toBeGreaterThan(0);
    await endOldest();
    await freeSlots();
    expect((await open()).statusCode).toBe(201);
  });
});
