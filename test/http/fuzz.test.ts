import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { Child } from '../bench/rpc.ts';
import { codeOf } from '../support/api/browser.ts';
import { NORA, roomToken } from '../support/api/build-app.ts';
import { newPlace } from '../support/records/database.ts';
import type { ApiDocument } from './fuzz/document.ts';
import { Fuzzer } from './fuzz/fuzzer.ts';
import type { Credentials } from './fuzz/request.ts';
import type { Opened } from './fuzz/service-process.ts';
import { until } from '../support/until.ts';

const seed = Number(process.env['FUZZ_SEED'] ?? 5);
const TROUPE_API_KEY = 'key-of-the-first-account';
const TROUPE_ADMIN_PASSWORD = 'a password of whoever runs it';

/** Some are removed. */
const PEOPLE = 60;
const place = await newPlace();
/* FUZZ_RUNS: requests per operation. FUZZ_SEED: another sequence, or the one of a failure. PostgreSQL shows only what its columns refuse. */
const numRuns = Number(process.env['FUZZ_RUNS'] ?? (place.env.DATABASE_URL ? 10 : 40));
const service = new Child('../http/fuzz/service-process.ts');
await service.ready;
const { url, webhookUrl, spared } = await service.ask<Opened>('open', {
  ...place.env,
  TROUPE_API_KEY,
  TROUPE_ADMIN_PASSWORD,
  CHAT_CALLS_PER_HOUR: '1000000',
  CHAT_CALLS_PER_ADDRESS: '1000000',
  CHAT_CALLS_PER_AGENT: '1000000',
});
const [workerId] = spared;
/**
 * Waits until the service and its avatar worker count alike and the worker is ready. Either may know first that a session has ended, and a
 * worker that declines a session because its slots are still taken rests for a moment.
 */
async function freeSlots(): Promise<number> {
  let free = 0;
  await until(async () => {
    free = await service.ask<number>('freeSlots');
    const reply = await fetch(`${url}/v1/fleet/workers`, { headers: { 'x-api-key': operatorKey } });
    type Worker = { id: string; slots: number; taken: number; state: string };
    const { data } = (await reply.json()) as { data: Worker[] };
    const { slots, taken, state } = data.find(({ id }) => id === workerId)!;
    return state === 'ready' && slots - taken === free;
  });
  return free;
}

const isFull = async (): Promise<boolean> => (await freeSlots()) === 0;

const exp = Math.floor(Date.now() / 1000) + 3_600;
const rooms = ['one', 'two', 'three', 'four'];
const operatorKey = await makeStranger('operator');
const strangerKey = await makeStranger();
await Promise.all(Array.from({ length: PEOPLE }, (_, number) => makePerson(`person ${number}`)));
const fuzzer = new Fuzzer({
  url,
  document: (await (await fetch(`${url}/openapi.json`)).json()) as ApiDocument,
  // A key that is revoked or limited could no longer send requests.
  spared: [...spared, ...(await keysOf(TROUPE_API_KEY)), ...(await keysOf(strangerKey))],
  self: credentials(TROUPE_API_KEY),
  stranger: credentials(strangerKey),
  supplies: {
    roomTokens: await Promise.all(
      rooms.map((room) => roomToken({ roomJoin: true, room }, { exp })),
    ),
    webhookUrl,
    administrator: await makeAdministrator(),
  },
  isFull,
});

afterAll(async () => {
  fuzzer.close();
  await service.ask('close');
  service.kill();
  await place.remove();
});

function credentials(key: string): Credentials {
  return {
    apiKey: { header: 'x-api-key', value: key },
    operatorKey: { header: 'x-api-key', value: operatorKey },
    // Each call has its own token.
    roomToken: { header: 'authorization', value: 'Bearer of nothing' },
    adminPassword: { header: 'authorization', value: `Bearer ${TROUPE_ADMIN_PASSWORD}` },
  };
}

async function makeStranger(scope = 'all'): Promise<string> {
  const headers = { authorization: `Bearer ${TROUPE_ADMIN_PASSWORD}` };
  const make = async (path: string, body: object) =>
    (await (await post(path, body, headers)).json()) as { id: string; key: string };
  const { id } = await make('/admin/accounts', { name: 'another', plan: 'unlimited' });
  return (await make(`/admin/accounts/${id}/keys`, { name: 'key', scope })).key;
}

async function keysOf(key: string): Promise<string[]> {
  const reply = await fetch(`${url}/v1/api-keys`, { headers: { 'x-api-key': key } });
  const { data } = (await reply.json()) as { data: { id: string }[] };
  return data.map(({ id }) => id);
}

/** Only the console, which the document leaves out, makes people of invitations. */
async function makePerson(name: string): Promise<void> {
  const headers = { 'x-api-key': TROUPE_API_KEY };
  const invited = await post('/v1/invitations', { role: 'viewer' }, headers);
  const { link } = (await invited.json()) as { link: string };
  const acceptance = { code: codeOf(link), name, password: 'a password of the fuzzer' };
  await post('/console/api/links/use', acceptance, { 'x-troupe-console': '1' });
}

async function makeAdministrator() {
  const administrator = { name: 'the fuzzer', password: 'a password of the fuzzer' };
  const headers = { authorization: `Bearer ${TROUPE_ADMIN_PASSWORD}` };
  await post('/admin/admins', administrator, headers);
  return administrator;
}

function post(path: string, body: object, headers: Record<string, string>): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

const MORE_SEEDS = 5;

/** `201`, or why there is no session. */
const open = async (): Promise<string> => {
  const reply = await post('/v1/sessions', { avatar_id: NORA }, { 'x-api-key': TROUPE_API_KEY });
  return reply.status === 201 ? '201' : `${reply.status} ${await reply.text()}`;
};

/** At once. A request that is not answered within nine seconds gets 503, too, and a hundred may take that long beside journeys. */
const OPENED_AT_ONCE = 10;

/** Opens sessions until no slot is free. A session that reaches its time limit frees its slot. */
async function takeAllSlots(): Promise<void> {
  for (let free = await freeSlots(); free > 0; free = await freeSlots()) {
    const length = Math.min(free, OPENED_AT_ONCE);
    const answers = await Promise.all(Array.from({ length }, open));
    expect(answers.filter((answer) => answer !== '201')).toEqual([]);
  }
}

describe('a client that knows only the OpenAPI document', () => {
  test.each(fuzzer.operations)('$name', async (operation) => {
    const check = (seed: number) =>
      fc.assert(
        fc.asyncProperty(fuzzer.drafts(operation), (draft) => fuzzer.check(operation, draft)),
        { numRuns, seed },
      );
    const statuses = () => [...(fuzzer.seen.get(operation.name)?.keys() ?? [])];
    const wasTaken = () => statuses().some((status) => status < 300);
    await check(seed);
    // Known ids and earlier requests vary per run, e.g. a file with an invalid chunk can never be
    // read: retry with other seeds until one request succeeds.
    for (let more = 1; more <= MORE_SEEDS && !wasTaken(); more++) {
      fuzzer.startAnew(operation);
      await check(seed + more);
    }

    // An operation that was only ever refused is hardly tested.
    expect(wasTaken(), statuses().join()).toBe(true);
  });

  test('gets 503 only when every slot is taken', async () => {
    await service.ask('fill');

    // Another sequence: repeated requests would get their stored answers.
    const opening = fuzzer.operations.filter(({ responses }) =>
      responses['503']?.description?.includes('free slot'),
    );
    for (const operation of opening) {
      await takeAllSlots();
      // Earlier requests may have changed all known agents so that they refuse calls.
      fuzzer.startAnew(operation);
      await fc.assert(
        fc.asyncProperty(fuzzer.soundDrafts(operation), async (draft) =>
          fuzzer.check(operation, draft, await isFull()),
        ),
        { numRuns: 20, seed: seed + 1 },
      );
      expect([...fuzzer.seen.get(operation.name)!.keys()], operation.name).toContain(503);
    }

    expect(opening.length).toBeGreaterThan(0);

    await service.ask('endOldest');
    expect(await open()).toBe('201');
  });
});
