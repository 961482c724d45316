import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import { SessionExists } from '../../../src/records/sessions/sessions.ts';
import {
  ACCOUNT,
  openRecords,
  request,
  startControlPlane,
  type ControlPlane,
} from '../../support/fleet/control-plane.ts';
import { until } from '../../support/until.ts';

let plane: ControlPlane;
beforeEach(async () => {
  plane = await startControlPlane();
});
afterEach(() => plane.close());

const find = (id: string) => plane.records.find(ACCOUNT.id, id);
const ownRoom = () => {
  const { room: _, ...fields } = request();
  return fields;
};
const leases = async () => (await plane.fleet.counts()).leases;

describe('creating a session', () => {
  test('returns a session to start, placed on a worker', async () => {
    const worker = await plane.worker().join();

    const { session, room, repeated } = await plane.creation.open(ACCOUNT, request());

    expect(session).toMatchObject({ status: 'to_start', epoch: 1, workerId: worker.workerId });
    expect(session).toEqual(await find(session.id));
    expect({ room, repeated }).toEqual({ room: undefined, repeated: false });
  });

  test('records the request', async () => {
    const worker = await plane.worker().join();

    const { session } = await plane.creation.open(
      ACCOUNT,
      request({ maxLengthMinutes: 7, metadata: { user: 'u1' }, idempotencyKey: 'k1' }),
    );

    expect(await find(session.id)).toMatchObject({
      accountId: ACCOUNT.id,
      avatarId: 'mira',
      roomUrl: 'wss://rooms.example',
      roomToken: 'a token',
      maxLengthMinutes: 7,
      metadata: { user: 'u1' },
      idempotencyKey: 'k1',
      createdAt: plane.clock.now(),
    });
    await worker.next('assign');
  });

  test('assigns it to one other worker when the first is lost before the record is saved', async () => {
    const lostWorker = await plane.worker({ slots: 1 }).join();
    const insert = plane.records.insert.bind(plane.records);
    const begun = Promise.withResolvers<void>();
    const insertGate = Promise.withResolvers<void>();
    plane.records.insert = async (...given) => {
      begun.resolve();
      await insertGate.promise;
      return insert(...given);
    };
    const opening = plane.creation.open(ACCOUNT, request());
    await begun.promise;
    const otherWorker = await plane.worker({ slots: 1 }).join();
    lostWorker.crash();
    await until(async () => (await plane.fleet.workers()).length === 1);
    await plane.stayFor(1_000, [otherWorker]);

    insertGate.resolve();
    const { session } = await opening;
    await otherWorker.next('assign');
    await plane.stayFor(20_000, [otherWorker]);

    expect(otherWorker.messages.filter(({ type }) => type === 'assign')).toHaveLength(1);
    expect([...otherWorker.performing.keys()]).toEqual([session.id]);
  });

  test('waits for a slot that comes free within two seconds', async () => {
    const opening = plane.creation.open(ACCOUNT, request());
    await until(() => plane.clock.waiting === 1);
    plane.clock.advance(1_999);

    const worker = await plane.worker().join();

    expect((await opening).session.workerId).toBe(worker.workerId);
  });

  test('fails with at_capacity when no slot comes free within two seconds, and leaves nothing behind', async () => {
    const opening = plane.creation.open(ACCOUNT, request()).catch((error: unknown) => error);
    await until(() => plane.clock.waiting === 1);

    plane.clock.advance(2_000);

    const fault = (await opening) as Fault;
    expect(fault).toBeInstanceOf(Fault);
    expect(fault).toMatchObject({ fault: 'at_capacity', status: 503, retryAfterSeconds: 2 });
    expect((await plane.records.page(ACCOUNT.id, { limit: 10 })).data).toEqual([]);
  });

  test('gives the last slot to one of two simultaneous requests', async () => {
    const worker = await plane.worker({ slots: 1 }).join();
    const openings = ['one', 'two'].map((token) =>
      plane.creation.open(ACCOUNT, request({ room: { url: 'wss://rooms.example', token } })),
    );
    const settled = Promise.allSettled(openings);
    await worker.next('assign');
    await until(async () => (await plane.fleet.counts()).waiting === 1);
    // Otherwise the worker's answer would be late as well.
    await worker.atRest();

    plane.clock.advance(2_000);

    expect((await settled).map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await leases()).toBe(1);
  });

  test('frees the slot when the record cannot be saved', async () => {
    await plane.worker().join();
    plane.records.insert = async () => {
      throw new Error('the database is away');
    };

    await expect(plane.creation.open(ACCOUNT, request())).rejects.toThrow('database is away');

    expect(await leases()).toBe(0);
  });
});

describe('a session without a room in its request', () => {
  test('gets a new room with tokens for an agent and viewers', async () => {
    const worker = await plane.worker().join();

    const { session, room } = await plane.creation.open(ACCOUNT, ownRoom());

    expect(room).toEqual({
      url: 'wss://media.example',
      name: 'room-1',
      agentToken: 'agent of room-1',
      viewerToken: 'viewer of room-1',
    });
    expect(session).toMatchObject({ builtInRoom: 'room-1', roomUrl: 'ws://media.internal' });
    const assign = await worker.next('assign');
    expect(assign.room).toEqual({ url: 'ws://media.internal', token: 'avatar of room-1' });
  });

  test('closes the room when it ends', async () => {
    const worker = await plane.worker().join();
    await plane.creation.open(ACCOUNT, ownRoom());
    const { placement } = await worker.next('assign');
    expect([...plane.rooms.open]).toEqual(['room-1']);

    await worker.ended(placement, 'agent_left');

    await until(() => plane.rooms.open.size === 0);
  });

  test('ends when the media server is unavailable', async () => {
    const worker = await plane.worker().join();
    const { session } = await plane.creation.open(ACCOUNT, ownRoom());
    const { placement } = await worker.next('assign');
    plane.rooms.isAnswering = false;

    await worker.ended(placement, 'room_closed');

    expect(await find(session.id)).toMatchObject({ status: 'completed' });
  });

  test('frees the slot when no room can be created', async () => {
    await plane.worker().join();
    plane.rooms.isAnswering = false;

    await expect(plane.creation.open(ACCOUNT, ownRoom())).rejects.toThrow('media server is away');

    expect(await leases()).toBe(0);
  });

  test('closes the room when the record cannot be saved', async () => {
    await plane.worker().join();
    plane.records.insert = async () => {
      throw new Error('the database is away');
    };

    await expect(plane.creation.open(ACCOUNT, ownRoom())).rejects.toThrow('database is away');

    await until(() => plane.rooms.open.size === 0);
  });

  test('does not share its room with another request', async () => {
    await plane.worker({ slots: 2 }).join();

    const [firstOpened, secondOpened] = await Promise.all([
      plane.creation.open(ACCOUNT, ownRoom()),
      plane.creation.open(ACCOUNT, ownRoom()),
    ]);

    expect(firstOpened?.session.id).not.toBe(secondOpened?.session.id);
  });
});

describe('a repeated request', () => {
  test('with the same room URL and token returns the existing session', async () => {
    const worker = await plane.worker({ slots: 4 }).join();
    const firstOpened = await plane.creation.open(ACCOUNT, request());

    const secondOpened = await plane.creation.open(ACCOUNT, request());

    expect(secondOpened).toEqual({ session: firstOpened.session, repeated: true });
    expect(await leases()).toBe(1);
    expect(worker.performing.size).toBeLessThanOrEqual(1);
  });

  test('with another avatar is refused, unless the caller takes any', async () => {
    await plane.worker({ slots: 4 }).join();
    const [firstResult, atOnce] = await Promise.allSettled([
      plane.creation.open(ACCOUNT, request()),
      plane.creation.open(ACCOUNT, request({ avatarId: 'otto' })),
    ]);
    const { session } =
      firstResult.status === 'fulfilled' ? firstResult.value : expect.unreachable();
    const later = plane.creation.open(ACCOUNT, request({ avatarId: 'otto' }));
    const about = { session_id: session.id, avatar_id: session.avatarId };

    expect(atOnce).toMatchObject({ status: 'rejected', reason: { status: 409, about } });
    await expect(later).rejects.toMatchObject({ fault: 'conflict', about });
    const anyAvatar = request({ avatarId: 'otto', takesAnyAvatar: true });
    expect(await plane.creation.open(ACCOUNT, anyAvatar)).toEqual({ session, repeated: true });
    expect(await leases()).toBe(1);
  });

  test('that runs at the same time as the first one returns its session', async () => {
    await plane.worker({ slots: 4 }).join();

    const opened = await Promise.all(
      [1, 2, 3, 4].map(() => plane.creation.open(ACCOUNT, request())),
    );

    expect(new Set(opened.map(({ session }) => session.id)).size).toBe(1);
    expect(opened.map(({ repeated }) => repeated)).toEqual([false, true, true, true]);
    expect(await leases()).toBe(1);
  });

  test('that runs at the same time as a first one without a slot fails with it', async () => {
    const openings = [1, 2].map(() => plane.creation.open(ACCOUNT, request()));
    const settled = Promise.allSettled(openings);
    await until(() => plane.clock.waiting === 1);

    plane.clock.advance(2_000);

    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  test('with the same idempotency key returns the session, also with another room token', async () => {
    await plane.worker({ slots: 4 }).join();
    const firstOpened = await plane.creation.open(ACCOUNT, request({ idempotencyKey: 'k1' }));

    const room = { url: 'wss://rooms.example', token: 'a fresh token' };
    const opened = await plane.creation.open(ACCOUNT, request({ idempotencyKey: 'k1', room }));

    expect(opened).toEqual({ session: firstOpened.session, repeated: true });
  });

  test('that another control plane receives at the same time returns the first session', async () => {
    const store = await openRecords();
    const planes = [await startControlPlane({ store }), await startControlPlane({ store })];
    for (const plane of planes) await plane.worker().join();

    const [firstOpened, secondOpened] = await Promise.all(
      planes.map(({ creation }) => creation.open(ACCOUNT, { ...ownRoom(), idempotencyKey: 'k1' })),
    );

    expect(secondOpened?.session.id).toBe(firstOpened?.session.id);
    expect([firstOpened?.repeated, secondOpened?.repeated].filter(Boolean)).toHaveLength(1);
    const counts = await Promise.all(planes.map(({ fleet }) => fleet.counts()));
    expect(counts.reduce((all, { leases }) => all + leases, 0)).toBe(1);
    for (const plane of planes) await plane.close();
    await store.db.destroy();
  });

  test.each([
    { what: 'a room', given: {} },
    { what: 'a room, of an account that may have one session', given: { maxLive: 1 } },
  ])('of $what at two control planes at once creates one session', async ({ given }) => {
    const store = await openRecords();
    const planes = [await startControlPlane({ store }), await startControlPlane({ store })];
    const workers = await Promise.all(planes.map((plane) => plane.worker().join()));
    const insert = store.records.insert.bind(store.records);
    const bothArrived = Promise.withResolvers<void>();
    let arrived = 0;
    // Both have looked for an earlier session and reserved a slot before either is saved.
    store.records.insert = async (...args) => {
      if ((arrived += 1) === planes.length) bothArrived.resolve();
      await bothArrived.promise;
      return insert(...args);
    };

    const opened = await Promise.all(
      planes.map(({ creation }) => creation.open(ACCOUNT, request(given))),
    );

    expect(new Set(opened.map(({ session }) => session.id)).size).toBe(1);
    expect(opened.filter(({ repeated }) => repeated)).toHaveLength(1);
    const counts = await Promise.all(planes.map(({ fleet }) => fleet.counts()));
    expect(counts.reduce((all, { leases }) => all + leases, 0)).toBe(1);
    const firstIndex = opened.findIndex(({ repeated }) => !repeated);
    await workers[firstIndex]!.next('assign');
    await Promise.all(workers.map((worker) => worker.atRest()));
    expect(
      workers.map(({ messages }) => messages.filter(({ type }) => type === 'assign').length),
    ).toEqual([0, 1].map((i) => Number(i === firstIndex)));
    for (const plane of planes) await plane.close();
    await store.db.destroy();
  });

  test('creates a session when the first one has ended before it is found', async () => {
    await plane.worker({ slots: 2 }).join();
    const insert = plane.records.insert.bind(plane.records);
    plane.records.insert = async () => {
      plane.records.insert = insert;
      throw new SessionExists('This session exists.');
    };

    const { session, repeated } = await plane.creation.open(ACCOUNT, request());

    expect(repeated).toBe(false);
    expect(await find(session.id)).toEqual(session);
    expect(await leases()).toBe(1);
  });

  test('of another account creates another session', async () => {
    await plane.worker({ slots: 4 }).join();
    await plane.addAccount('account-2');

    const [firstOpened, secondOpened] = await Promise.all([
      plane.creation.open(ACCOUNT, request({ idempotencyKey: 'k1' })),
      plane.creation.open({ id: 'account-2' }, request({ idempotencyKey: 'k1' })),
    ]);

    expect(firstOpened?.session.id).not.toBe(secondOpened?.session.id);
  });

  test('after the end of the session creates a new one', async () => {
    const worker = await plane.worker().join();
    const firstOpened = await plane.creation.open(ACCOUNT, request());
    await worker.ended((await worker.next('assign')).placement, 'agent_left');

    const secondOpened = await plane.creation.open(ACCOUNT, request());

    expect(secondOpened.repeated).toBe(false);
    expect(secondOpened.session.id).not.toBe(firstOpened.session.id);
  });
});
