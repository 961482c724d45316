/* The live streams of the console: all sessions of an account, and the fleet. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOOK_EVERY_MS, MAX_MISSED } from '../../../src/http/sessions/session-follower.ts';
import { API_KEY, buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { Browser } from '../../support/api/browser.ts';
import { until } from '../../support/until.ts';

let service: BuiltApp;
let owner: Browser;
beforeAll(async () => {
  service = await buildApp({ slots: 1_000 });
  owner = await new Browser(service).openHere();
});
afterAll(() => service.close());

const KEY: Record<string, string> = { 'x-api-key': API_KEY };

/**
 * Resolves when the worker has answered: if time passes before, it looks silent and gets no
 * sessions for a while.
 */
async function open(headers = KEY): Promise<string> {
  const payload = { avatar_id: NORA };
  const reply = await service.call('POST', '/v1/sessions', { payload, headers });
  expect(reply.statusCode, reply.body).toBe(201);
  await service.workers[0]!.atRest();
  return reply.json().id;
}

/**
 * Ends a session and copies it: on a busy machine, as many requests wait too long for a connection
 * to the records.
 */
async function copyEnded(count: number): Promise<void> {
  const id = await open();
  await service.call('POST', `/v1/sessions/${id}/end`);
  const database = service.place.open();
  const ended = await database
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const copies = Array.from({ length: count }, () => ({ ...ended, id: randomUUID() }));
  await database.insertInto('sessions').values(copies).execute();
  await database.destroy();
}

type Seen = { id: string; name: string; data: Record<string, unknown> };

/** A client that reads events as they arrive. */
async function follow(path: string, headers: Record<string, string> = KEY) {
  const stop = new AbortController();
  const response = await fetch(`${service.url}${path}`, { headers, signal: stop.signal });
  const events: Seen[] = [];
  let isOver = false;
  const reading = (async () => {
    let text = '';
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      text += part;
      const blocks = text.split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) {
        const [, id = '', name, data] =
          /^(?:id: (.*)\n)?event: (.*)\ndata: (.*)$/.exec(block) ?? [];
        if (name && data) events.push({ id, name, data: JSON.parse(data) });
      }
    }
  })()
    .catch(() => {})
    .finally(() => {
      isOver = true;
    });
  return {
    response,
    seen: events,
    isOver: () => isOver,
    about: (id: string) => events.filter(({ data }) => data['id'] === id).map(({ name }) => name),
    async leave() {
      stop.abort();
      await reading;
    },
  };
}

/** A tenth of the time between two looks. */
const STEP_MS = LOOK_EVERY_MS / 10;

/** Lets time pass in steps: a stream sets its next timer only when its last look is over. */
const untilSeen = (isTrue: () => boolean) =>
  until(() => {
    if (isTrue()) return true;
    service.clock.advance(STEP_MS);
    return false;
  });

describe('the events of an account', () => {
  test('tell of every session as it goes', async () => {
    const client = await follow('/v1/events');
    const id = await open();
    await untilSeen(() => client.seen.some(({ name }) => name === 'hello'));

    await untilSeen(() => client.about(id).length === 1);
    const [worker] = service.workers;
    const { placement } = await worker!.next('assign');
    await worker!.atRest();
    await worker!.started(placement);
    await untilSeen(() => client.about(id).length === 2);
    await service.call('POST', `/v1/sessions/${id}/end`);
    await untilSeen(() => client.about(id).length === 3);

    expect(client.about(id)).toEqual(['session.created', 'session.started', 'session.ended']);
    const retrievedBody = (await service.call('GET', `/v1/sessions/${id}`)).json();
    expect(client.seen.at(-1)!.data).toEqual(retrievedBody);
    await client.leave();
  });

  test('tell of what another control plane does', async () => {
    const otherPlane = await buildApp({ place: service.place, clock: service.clock });
    const client = await follow('/v1/events');
    await until(() => client.seen.length > 0);

    const payload = { avatar_id: NORA };
    const { id } = (await otherPlane.call('POST', '/v1/sessions', { payload })).json();
    await untilSeen(() => client.about(id).length === 1);
    await otherPlane.call('POST', `/v1/sessions/${id}/end`);
    await untilSeen(() => client.about(id).length === 2);

    expect(client.about(id)).toEqual(['session.created', 'session.ended']);
    await client.leave();
    await otherPlane.close();
  });

  test('are not told to another account', async () => {
    const stranger = { 'x-api-key': await service.strangerKey() };
    const client = await follow('/v1/events', stranger);
    const [strangerId, ownId] = [await open(stranger), await open()];

    await untilSeen(() => client.about(strangerId).length === 1);

    expect(client.about(ownId)).toEqual([]);
    await client.leave();
  });

  test('go on where a client left off', async () => {
    const firstClient = await follow('/v1/events');
    const earlierId = await open();
    await untilSeen(() => firstClient.about(earlierId).length === 1);
    const { id: lastId } = firstClient.seen.at(-1)!;
    await firstClient.leave();

    const missed = await open();
    await service.call('POST', `/v1/sessions/${earlierId}/end`);
    service.clock.advance(10_000);
    const byHeader = await follow('/v1/events', { ...KEY, 'last-event-id': lastId });
    const byQuery = await follow(`/v1/events?last_event_id=${lastId}`);
    const fresh = await follow('/v1/events');

    for (const client of [byHeader, byQuery]) {
      await untilSeen(() => client.about(missed).length === 1);
      await untilSeen(() => client.about(earlierId).length === 1);
      expect(client.about(earlierId)).toEqual(['session.ended']);
    }
    expect(fresh.about(missed)).toEqual([]);
    await Promise.all([byHeader, byQuery, fresh].map((client) => client.leave()));
  });

  test('say when too much was missed', async () => {
    const long = await follow('/v1/events?last_event_id=1');
    await untilSeen(() => long.seen.some(({ name }) => name === 'reset'));
    await long.leave();

    const lastTime = service.clock.now();
    await copyEnded(MAX_MISSED);
    const many = await follow(`/v1/events?last_event_id=${lastTime}`);
    await untilSeen(() => many.seen.some(({ name }) => name === 'reset'));
    // A look again finds the same, so there may be a second one.
    expect(new Set(many.seen.map(({ name }) => name))).toEqual(new Set(['hello', 'reset']));
    await many.leave();
  });

  test('end with the sign-in of their reader', async () => {
    const { cookie } = owner;
    const reader = new Browser(service);
    reader.cookie = cookie;
    const client = await follow('/v1/events', { cookie: cookie! });
    expect(client.response.status).toBe(200);

    await reader.call('POST', '/console/api/sign-out', {});
    // The next heartbeat finds out.
    service.clock.advance(15_000);

    await untilSeen(() => client.isOver());
    await client.leave();
    owner = await new Browser(service).openHere();
  });
});

describe('the events of the fleet', () => {
  test('show all of it at the beginning and after each change, to operators', async () => {
    const client = await follow('/v1/fleet/events', { cookie: owner.cookie! });
    await untilSeen(() => client.seen.length === 1);
    const refused = await fetch(`${service.url}/v1/fleet/events`, { headers: KEY });

    await service.join({ slots: 3 });
    await untilSeen(() => (client.seen.at(-1)!.data['workers'] as unknown[]).length === 3);

    expect(refused.status).toBe(403);
    const workers = (await owner.call('GET', '/v1/fleet/workers')).json().data;
    expect((client.seen.at(-1)!.data['workers'] as unknown[]).length).toBe(workers.length);
    await client.leave();
  });
});
