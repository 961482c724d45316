import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newName } from '#shared/ids.ts';
import { TypedEvents } from '#shared/typed-events.ts';
import type { TimelineEvent } from '#protocol/timeline.ts';
import { timelineRecords, type TimelineRecords } from '../../src/records/sessions/timelines.ts';
import type { SessionRecord } from '../../src/records/sessions/sessions.ts';
import type { SessionEventMap } from '../../src/sessions/session-events.ts';
import { GATHER_MS, MOST_ENTRIES, Timelines } from '../../src/sessions/timelines.ts';
import { LocalFleet } from '../../src/fleet/local/local-fleet.ts';
import {
  ACCOUNT,
  openRecords,
  openTestSessions,
  quietLog,
  request,
  type Store,
} from '../support/fleet/control-plane.ts';
import { FakeBotrooms } from '../support/fleet/fake-botrooms.ts';
import { FakeRooms } from '../support/fleet/fake-rooms.ts';
import { TestClock } from '../support/test-clock.ts';
import { until } from '../support/until.ts';

let store: Store;
let clock: TestClock;
let storedEvents: TimelineRecords;
let events: TypedEvents<SessionEventMap>;
let timelines: Timelines;
let writes: number;
let isAway: boolean;
beforeEach(async () => {
  store = await openRecords();
  clock = new TestClock();
  const real = timelineRecords(store.db);
  writes = 0;
  isAway = false;
  storedEvents = {
    ...real,
    async add(parts) {
      if (isAway) throw new Error('the records are away');
      await real.add(parts);
      writes += 1;
    },
  };
  ({ events, timelines } = open());
});
afterEach(async () => {
  await timelines.close();
  await store.db.destroy();
  expect(clock.waiting, 'timers left').toBe(0);
});

function open() {
  const events = new TypedEvents<SessionEventMap>((error) => {
    throw error;
  });
  return {
    events,
    timelines: new Timelines({ events, records: storedEvents, clock, log: quietLog }),
  };
}

/** Inserts a session, with its own room, for the entries to belong to. */
async function newSession(): Promise<SessionRecord> {
  const ownEvents = new TypedEvents<SessionEventMap>(() => {});
  const fleet = new LocalFleet({ clock, log: quietLog, events: new TypedEvents(() => {}) });
  const facts = {
    workerId: 'w',
    kind: 'avatar' as const,
    slots: 1,
    transports: ['mediaserver' as const],
    avatars: ['mira'],
    abilities: [],
    pool: 'default',
    version: '1',
  };
  const worker = {
    facts,
    assign: async () => 'accepted' as const,
    send() {},
    ask: async () => null,
  };
  await fleet.join(worker);
  const { records } = store;
  const rooms = new FakeRooms();
  const botrooms = new FakeBotrooms();
  const sessions = openTestSessions({ records, fleet, rooms, botrooms, events: ownEvents, clock });
  const room = { url: 'wss://rooms.example', token: newName('token') };
  const { session } = await sessions.creation.open(ACCOUNT, request({ room }));
  await sessions.close();
  await fleet.close();
  return session;
}

const note = (sessionId: string, happening: TimelineEvent, agoMs = 0) =>
  events.emit('session.timeline', {
    sessionId,
    callId: null,
    entry: { at: clock.now() - agoMs, ...happening },
  });
const kindsOf = async (id: string) => (await storedEvents.find(id)).entries.map(({ kind }) => kind);

const countParts = async (): Promise<number> =>
  (await store.db.selectFrom('timeline_parts').select('id').execute()).length;

describe('timelines', () => {
  test('are written later, with all entries of three seconds at once', async () => {
    const { id } = await newSession();
    note(id, { kind: 'created' });
    note(id, { kind: 'queued', waitedMs: 2 });
    clock.advance(GATHER_MS - 1);
    expect(writes).toBe(0);

    clock.advance(1);
    await until(() => writes === 1);

    expect(await storedEvents.find(id)).toMatchObject({
      entries: [{ kind: 'created' }, { kind: 'queued', waitedMs: 2 }],
      leftOut: 0,
    });
    const rows = await store.db.selectFrom('timeline_parts').select('kept').execute();
    expect(rows).toEqual([{ kept: 2 }]);
  });

  test('of many sessions are written a share at a time', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, newSession));
    for (const { id } of ids) note(id, { kind: 'created' });

    clock.advance(GATHER_MS);
    await until(() => writes === 1);
    expect(await countParts()).toBe(10);

    for (const soFar of [20, 30]) {
      await until(() => clock.waiting === 1);
      clock.advance(20);
      await until(() => writes === soFar / 10);
      expect(await countParts()).toBe(soFar);
    }
  });

  test('are read in order, including unwritten entries', async () => {
    const { id } = await newSession();
    note(id, { kind: 'created' });
    clock.advance(GATHER_MS);
    await until(() => writes === 1);
    note(id, { kind: 'first_frame', epoch: 1 });
    note(id, { kind: 'joined', epoch: 1 }, 50);

    const { entries } = await timelines.of(id);

    expect(entries.map(({ kind }) => kind)).toEqual(['created', 'joined', 'first_frame']);
  });

  test('have a maximum size, whose last places are reserved for rare kinds', async () => {
    const { id } = await newSession();
    note(id, { kind: 'created' });
    for (let segment = 1; segment <= MOST_ENTRIES; segment++)
      note(id, { kind: 'speech_started', epoch: 1, segment });
    note(id, { kind: 'ended', reason: 'agent_left' });

    const { entries, leftOut } = await timelines.of(id);

    expect(entries).toHaveLength(MOST_ENTRIES - 100 + 1);
    expect(entries.at(-1)).toMatchObject({ kind: 'ended' });
    expect(leftOut).toBe(101);
  });

  test('that are full add no rows and count what is left out', async () => {
    const { id } = await newSession();
    note(id, { kind: 'created' });
    for (let segment = 1; segment <= MOST_ENTRIES; segment++)
      note(id, { kind: 'speech_started', epoch: 1, segment });
    await timelines.of(id);
    const writesBefore = writes;

    note(id, { kind: 'speech_started', epoch: 1, segment: 0 });
    clock.advance(GATHER_MS);
    expect((await timelines.of(id)).leftOut).toBe(102);
    expect(writes).toBe(writesBefore);

    note(id, { kind: 'ended', reason: 'agent_left' });
    expect((await timelines.of(id)).leftOut).toBe(102);
    expect((await storedEvents.find(id)).leftOut).toBe(102);
  });

  test('keep their limit when another control plane takes the session over', async () => {
    const { id } = await newSession();
    note(id, { kind: 'created' });
    for (let segment = 1; segment < MOST_ENTRIES - 100; segment++)
      note(id, { kind: 'speech_started', epoch: 1, segment });
    await timelines.close();

    ({ events, timelines } = open());
    note(id, { kind: 'lost', epoch: 1, workerId: 'w' });
    await timelines.of(id);
    note(id, { kind: 'speech_started', epoch: 2, segment: 1 });

    expect(await timelines.of(id)).toMatchObject({ leftOut: 1 });
  });

  test('wait while the database is unavailable and lose nothing', async () => {
    const { id } = await newSession();
    isAway = true;
    note(id, { kind: 'created' });
    clock.advance(GATHER_MS);
    await until(() => clock.waiting === 1);
    note(id, { kind: 'first_frame', epoch: 1 });
    isAway = false;

    clock.advance(GATHER_MS);
    await until(() => writes === 1);

    expect(await kindsOf(id)).toEqual(['created', 'first_frame']);
  });

  test('of a session without a row do not block the others', async () => {
    const { id } = await newSession();
    note('nobody', { kind: 'created' });
    note(id, { kind: 'created' });

    clock.advance(GATHER_MS);
    await until(() => writes === 1);

    expect(await kindsOf(id)).toEqual(['created']);
    expect(await kindsOf('nobody')).toEqual([]);
  });

  test('are written when the control plane stops', async () => {
    const { id } = await newSession();
    note(id, { kind: 'created' });

    await timelines.close();

    expect(await kindsOf(id)).toEqual(['created']);
  });

  test('are deleted with the row of their session', async () => {
    const { id } = await newSession();
    note(id, { kind: 'created' });
    await timelines.of(id);

    await store.db.deleteFrom('sessions').where('id', '=', id).execute();

    expect(await kindsOf(id)).toEqual([]);
  });
});
