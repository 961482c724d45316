import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RoomSignal } from '#protocol/room-signals.ts';
import {
  ACCOUNT,
  openRecords,
  request,
  startControlPlane,
  type ControlPlane,
  type Store,
} from '../../support/fleet/control-plane.ts';
import { FakeRooms } from '../../support/fleet/fake-rooms.ts';
import type { SimulatedWorker } from '../../support/simulated-worker.ts';
import { TestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';

let store: Store;
let clock: TestClock;
let rooms: FakeRooms;
let planes: ControlPlane[];
let worker: SimulatedWorker;

/** The same records, time and rooms: a new process on the same port. */
async function start(): Promise<ControlPlane> {
  const port = planes.at(-1)?.port ?? 0;
  const plane = await startControlPlane({ store, clock, rooms, port });
  planes.push(plane);
  return plane;
}

beforeEach(async () => {
  store = await openRecords();
  clock = new TestClock();
  rooms = new FakeRooms();
  planes = [];
  const plane = await start();
  worker = await plane.worker({ slots: 2 }).join();
});

afterEach(async () => {
  for (const plane of planes.toReversed()) await plane.close();
  await store.db.destroy();
});

const find = (id: string) => store.records.find(ACCOUNT.id, id);

async function ongoing() {
  const { session } = await planes[0]!.creation.open(ACCOUNT, request());
  const { placement } = await worker.next('assign');
  await worker.started(placement);
  return { id: session.id, placement };
}

describe('after a restart of the control plane', () => {
  test('a session whose worker reconnects continues unchanged', async () => {
    const { id, placement } = await ongoing();
    await planes[0]!.stop();
    const plane = await start();

    await worker.join();
    await plane.stayFor(10_000);

    expect(worker.messages.some(({ type }) => type === 'drop' || type === 'end')).toBe(false);
    expect(await plane.fleet.counts()).toMatchObject({ leases: 1, free: 1, waiting: 0 });
    await worker.ended(placement, 'agent_left', 400);
    expect(await find(id)).toMatchObject({
      status: 'completed',
      endReason: 'agent_left',
      epoch: 1,
      endedAt: clock.now() - 400,
    });
    expect(plane.eventNames).toEqual(['session.ended agent_left']);
  });

  test('a session that ends before it is claimed frees its slot and ends on its worker', async () => {
    const { id, placement } = await ongoing();
    await planes[0]!.stop();
    const plane = await start();
    const { workerId, secret } = worker;
    // As if a shared fleet had kept the slot and the worker had stayed connected.
    const spare = plane.worker({ workerId, secret: secret!, slots: 2 });
    await spare.join();
    await plane.fleet.hold({ ...placement, workerId });

    await plane.ending.end(ACCOUNT.id, id);

    expect((await spare.next('end')).placement).toEqual(placement);
    expect(await plane.fleet.counts()).toMatchObject({ leases: 0, free: 2 });
  });

  test('an unclaimed session is placed again', async () => {
    const { id } = await ongoing();
    await planes[0]!.stop();
    const plane = await start();
    const otherWorker = await plane.worker().join();

    await plane.stayFor(5_999);
    expect(otherWorker.performing.size).toBe(0);
    await plane.stayFor(1);

    expect((await otherWorker.next('assign')).placement).toEqual({ sessionId: id, epoch: 2 });
    await otherWorker.started({ sessionId: id, epoch: 2 });
    expect(await find(id)).toMatchObject({ status: 'ongoing', workerId: otherWorker.workerId });
  });

  test('an unclaimed session goes on if its former worker, still alive, replaces the next one in the room', async () => {
    const { id } = await ongoing();
    await planes[0]!.stop();
    const plane = await start();
    const otherWorker = await plane.worker().join();
    await plane.stayFor(6_000);
    const { placement } = await otherWorker.next('assign');
    await otherWorker.started(placement);

    await otherWorker.ended(placement, 'replaced');

    expect((await otherWorker.next('assign')).placement).toEqual({ sessionId: id, epoch: 3 });
    await otherWorker.started({ sessionId: id, epoch: 3 });
    expect(await find(id)).toMatchObject({ status: 'ongoing', epoch: 3 });
  });

  test('the next worker gets the room signals of the session', async () => {
    const ending: RoomSignal = {
      topic: null,
      means: 'end',
      how: { format: 'json', match: { type: 'BYE' } },
    };
    await planes[0]!.creation.open(ACCOUNT, request({ signals: [ending] }));
    const firstAssignment = await worker.next('assign');
    await planes[0]!.stop();
    const plane = await start();
    const otherWorker = await plane.worker().join();

    await plane.stayFor(6_000);

    expect(firstAssignment.signals).toEqual([ending]);
    expect((await otherWorker.next('assign')).signals).toEqual([ending]);
  });

  test('an unclaimed session ends when no slot comes free', async () => {
    const { id } = await ongoing();
    await planes[0]!.stop();
    const plane = await start();

    clock.advance(6_000);
    await until(async () => (await plane.fleet.counts()).waiting === 1);
    clock.advance(15_000);

    await until(async () => (await find(id))?.status === 'completed');
    expect(await find(id)).toMatchObject({ endReason: 'worker_lost' });
  });

  test('a session whose worker reconnects during the search stays with it', async () => {
    const { id } = await ongoing();
    await planes[0]!.stop();
    const plane = await start();
    clock.advance(6_000);
    await until(async () => (await plane.fleet.counts()).waiting === 1);

    await worker.join();

    expect(await plane.fleet.counts()).toMatchObject({ leases: 1, waiting: 0 });
    expect(await find(id)).toMatchObject({ status: 'ongoing', epoch: 1 });
  });

  test('an end during the restart is recorded when the worker reports it', async () => {
    const { id, placement } = await ongoing();
    await planes[0]!.stop();
    clock.advance(3_000);
    await start();

    // A worker still names a session whose end is not acknowledged.
    await worker.join();
    await worker.ended(placement, 'agent_left', 2_000);

    expect(await find(id)).toMatchObject({
      endReason: 'agent_left',
      endedAt: clock.now() - 2_000,
    });
  });

  test('a maximum length that has passed ends the session', async () => {
    const plane = planes[0]!;
    const { session } = await plane.creation.open(ACCOUNT, request({ maxLengthMinutes: 1 }));
    await worker.started((await worker.next('assign')).placement);
    await plane.stop();
    clock.advance(90_000);

    await start();
    clock.advance(0);

    await until(async () => (await find(session.id))?.status === 'completed');
    expect(await find(session.id)).toMatchObject({ endReason: 'time_limit' });
  });

  test('a repeated request returns the existing session', async () => {
    const { id } = await ongoing();
    await planes[0]!.stop();
    const plane = await start();

    const opened = await plane.creation.open(ACCOUNT, request());

    expect(opened).toMatchObject({ repeated: true, session: { id } });
  });

  test('a caller can end an unclaimed session', async () => {
    const { id, placement } = await ongoing();
    await planes[0]!.stop();
    const plane = await start();

    await plane.ending.end(ACCOUNT.id, id);
    await worker.join();

    expect(await worker.next('drop')).toEqual({ type: 'drop', placement });
    expect(await find(id)).toMatchObject({ endReason: 'ended_by_client' });
  });

  test('a control plane that stops during recovery changes nothing', async () => {
    const { id } = await ongoing();
    await planes[0]!.stop();
    const plane = await start();

    await plane.stop();

    expect(await find(id)).toMatchObject({ status: 'ongoing', epoch: 1 });
    expect(clock.waiting).toBe(0);
  });

  test('a session created just before the restart is performed', async () => {
    const plane = planes[0]!;
    await worker.close();
    const quick = await plane.worker().join();
    quick.mood = 'silent';
    const { session } = await plane.creation.open(ACCOUNT, request());
    await quick.next('assign');
    await plane.stop();
    const second = await start();

    const otherWorker = await second.worker().join();
    await second.stayFor(6_000);

    expect((await otherWorker.next('assign')).placement).toEqual({
      sessionId: session.id,
      epoch: 2,
    });
  });
});
