import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SessionOwnership } from '../../../src/cluster/session-ownership.ts';
import { Reconciler } from '../../../src/sessions/reconciliation/reconciler.ts';
import {
  ACCOUNT,
  openRecords,
  quietLog,
  request,
  startControlPlane,
  type ControlPlane,
  type Store,
} from '../../support/fleet/control-plane.ts';
import type { SimulatedWorker } from '../../support/simulated-worker.ts';
import { until } from '../../support/until.ts';

let store: Store;
let plane: ControlPlane;
let reconciler: Reconciler;
beforeEach(async () => {
  store = await openRecords();
  // The test clock moves in large steps, which would make workers look silent.
  plane = await startControlPlane({ store, gatewayTimes: { pingEveryMs: 86_400_000 } });
  reconciler = new Reconciler({ ...plane, places: plane.live, log: quietLog });
});
afterEach(async () => {
  await reconciler.close();
  await plane.close();
  await store.db.destroy();
});

const ownRoom = () => {
  const { room: _, ...fields } = request();
  return fields;
};

/** A session in a built-in room, performed by this worker. */
async function perform(worker: SimulatedWorker) {
  const { session } = await plane.creation.open(ACCOUNT, ownRoom());
  const { placement } = await worker.next('assign');
  await worker.started(placement);
  return { session, placement };
}

async function sayAll(worker: SimulatedWorker, sessions = [...worker.performing.values()]) {
  worker.say({
    type: 'load',
    performing: sessions.length,
    lateFrames: 0,
    draining: false,
    sessions: sessions.map(({ placement }) => placement),
  });
  await worker.atRest();
}

/** Two rounds, far enough apart. */
async function repairTwice() {
  const firstReport = await reconciler.repair();
  plane.clock.advance(10_000);
  const secondReport = await reconciler.repair();
  return { first: firstReport.findings, second: secondReport.findings };
}

const find = (id: string) => plane.records.find(ACCOUNT.id, id);

/** A slot without a session. */
const loseLease = () => plane.fleet.hold({ sessionId: 'nobody', epoch: 1, workerId: 'worker-a' });

/** Rows without a live session: one of a connected worker, one of another. */
async function loseSessions(): Promise<SimulatedWorker> {
  const worker = await plane.worker({ workerId: 'worker-a', slots: 3 }).join();
  const { session } = await perform(worker);
  const row = await find(session.id);
  if (!row) throw new Error('no row');
  const lostRow = { ...row, builtInRoom: null };
  for (const fields of [
    { id: 'ours', tokenFingerprint: 'ours' },
    { id: 'theirs', tokenFingerprint: 'theirs', workerId: 'worker-elsewhere' },
  ])
    await store.records.insert({ ...lostRow, ...fields }, { maxLive: null });
  return worker;
}

describe('the reconciler', () => {
  test('finds no differences between slots, sessions, rows, performances and rooms', async () => {
    const worker = await plane.worker({ slots: 3 }).join();
    await perform(worker);
    await perform(worker);
    await sayAll(worker);

    expect(await reconciler.look()).toEqual({
      leases: 2,
      sessions: 2,
      rows: 2,
      performed: 2,
      rooms: 2,
      findings: [],
    });
  });

  test('does not repair a difference of one round', async () => {
    await plane.worker({ slots: 3 }).join();
    const lease = { sessionId: 'nobody', epoch: 1, workerId: 'worker-a' };
    await plane.fleet.hold(lease);

    const { findings } = await reconciler.repair();
    const [laterFinding] = (await reconciler.repair()).findings;

    expect(findings).toEqual([
      { kind: 'lease_without_session', lease, since: plane.clock.now(), isRepaired: false },
    ]);
    expect(laterFinding).toMatchObject({ isRepaired: false });
    expect(await plane.fleet.leases()).toEqual([lease]);
  });

  test('does not repair a difference that disappeared in between', async () => {
    const worker = await plane.worker().join();
    const { placement } = await perform(worker);
    await sayAll(worker, []);
    await reconciler.repair();
    plane.clock.advance(10_000);
    await sayAll(worker);
    await reconciler.look();
    await sayAll(worker, []);

    const [finding] = (await reconciler.repair()).findings;

    expect(finding).toMatchObject({ kind: 'session_not_performed', isRepaired: false });
    expect(worker.performing.has(placement.sessionId)).toBe(true);
  });

  test('frees a slot without a session', async () => {
    const lease = { sessionId: 'nobody', epoch: 1, workerId: 'worker-a' };
    await plane.fleet.hold(lease);

    const { second: secondFindings } = await repairTwice();

    expect(secondFindings).toMatchObject([{ kind: 'lease_without_session', isRepaired: true }]);
    expect(await plane.fleet.leases()).toEqual([]);
    expect((await reconciler.look()).findings).toEqual([]);
  });

  test('holds a slot for a session without one', async () => {
    const worker = await plane.worker({ slots: 1 }).join();
    const { placement } = await perform(worker);
    await plane.fleet.free({ ...placement, workerId: worker.workerId });

    await repairTwice();

    expect(await plane.fleet.leases()).toMatchObject([placement]);
    expect(await plane.fleet.counts()).toMatchObject({ free: 0 });
  });

  test('ends a session whose row is completed', async () => {
    const worker = await plane.worker().join();
    const { session, placement } = await perform(worker);
    await store.db
      .updateTable('sessions')
      .set({ status: 'completed', end_reason: 'removed', ended_at: 1 })
      .where('id', '=', session.id)
      .execute();

    await repairTwice();

    expect(await worker.next('end')).toMatchObject({ placement });
    expect((await reconciler.look()).findings).toEqual([]);
  });

  test('recovers a session that only the records know when its worker is connected here', async () => {
    const worker = await loseSessions();

    const { second: secondFindings } = await repairTwice();

    expect(secondFindings).toMatchObject([
      { kind: 'row_without_session', sessionId: 'ours', isRepaired: true },
      { kind: 'row_without_session', sessionId: 'theirs', isRepaired: false },
    ]);
    expect((await worker.next('assign')).placement).toEqual({ sessionId: 'ours', epoch: 2 });
  });

  test('recovers it wherever its worker is when session ownership is shared', async () => {
    await reconciler.close();
    await plane.close();
    const ownership: SessionOwnership = {
      claim: async () => true,
      adopt: async () => 'owned',
      onTakenOver: () => {},
      release: async () => {},
      ownerOf: async () => null,
      ownedBy: async () => [],
    };
    plane = await startControlPlane({
      store,
      ownership,
      gatewayTimes: { pingEveryMs: 86_400_000 },
    });
    reconciler = new Reconciler({ ...plane, places: plane.live, log: quietLog });
    const worker = await loseSessions();

    const { second: secondFindings } = await repairTwice();

    expect(secondFindings.map(({ isRepaired }) => isRepaired)).toEqual([true, true]);
    const assigned = [await worker.next('assign'), await worker.next('assign')];
    expect(assigned.map(({ placement }) => placement.sessionId).toSorted()).toEqual([
      'ours',
      'theirs',
    ]);
  });

  test('places a session again when the notice of its worker’s loss was missed', async () => {
    const worker = await plane.worker({ slots: 1 }).join();
    const { placement } = await perform(worker);
    const spare = await plane.worker({ slots: 1 }).join();
    plane.reports.workerLost = () => {};
    worker.crash();
    await until(async () => (await plane.fleet.workers()).length === 1);

    const { first: firstFindings, second: secondFindings } = await repairTwice();

    const lease = { ...placement, workerId: worker.workerId };
    expect(firstFindings).toMatchObject([
      { kind: 'session_without_worker', lease, isRepaired: false },
    ]);
    expect(secondFindings).toMatchObject([
      { kind: 'session_without_worker', lease, isRepaired: true },
    ]);
    const nextPlacement = { ...placement, epoch: placement.epoch + 1 };
    expect((await spare.next('assign')).placement).toEqual(nextPlacement);
  });

  test('leaves a session where it is when the list of its worker is older', async () => {
    const worker = await plane.worker({ slots: 2 }).join();
    await sayAll(worker, []);
    await perform(worker);
    worker.say({ type: 'load', performing: 1, lateFrames: 0, draining: false });
    await worker.atRest();

    expect((await repairTwice()).second).toEqual([]);
  });

  test('places a session again when its worker does not perform it', async () => {
    const worker = await plane.worker({ slots: 2 }).join();
    const { placement } = await perform(worker);
    await sayAll(worker, []);

    await repairTwice();

    const nextPlacement = { ...placement, epoch: placement.epoch + 1 };
    expect((await worker.next('assign')).placement).toEqual(nextPlacement);
  });

  test('makes a worker drop a session that is placed elsewhere', async () => {
    const worker = await plane.worker().join();
    const stray = { sessionId: 'stray', epoch: 1 };
    worker.say({ type: 'load', performing: 1, lateFrames: 0, draining: false, sessions: [stray] });
    await worker.atRest();

    await repairTwice();

    expect(await worker.next('drop')).toEqual({ type: 'drop', placement: stray });
  });

  test('closes rooms without a session and ends sessions without a room', async () => {
    const worker = await plane.worker().join();
    const { session } = await perform(worker);
    plane.rooms.open.clear();
    plane.rooms.open.add('room-left-over');

    await repairTwice();

    expect(plane.rooms.open.size).toBe(0);
    expect(await find(session.id)).toMatchObject({ endReason: 'room_closed' });
  });

  test('repairs twenty differences of one kind at once, and one kind after another', async () => {
    const rooms = Array.from({ length: 25 }, (_, i) => `room-left-over-${i}`);
    for (const room of rooms) plane.rooms.open.add(room);
    await loseLease();
    const steps: string[] = [];
    const free = plane.fleet.free.bind(plane.fleet);
    plane.fleet.free = async (lease) => {
      await free(lease);
      steps.push('slot freed');
    };
    const waiting: (() => void)[] = [];
    plane.rooms.close = async (room) => {
      steps.push(`closing ${room}`);
      await new Promise<void>((resolve) => waiting.push(resolve));
    };

    const repaired = repairTwice();
    await until(() => waiting.length === 20);
    expect(steps).toEqual(['slot freed', ...rooms.slice(0, 20).map((room) => `closing ${room}`)]);
    for (const finish of waiting.splice(0)) finish();
    await until(() => waiting.length === 5);
    for (const finish of waiting) finish();

    const { second: secondFindings } = await repaired;
    expect(secondFindings.map(({ kind }) => kind)).toEqual([
      'lease_without_session',
      ...rooms.map(() => 'room_without_session'),
    ]);
    expect(secondFindings.every(({ isRepaired }) => isRepaired)).toBe(true);
  });

  test('ignores rooms while the media server is unavailable', async () => {
    const worker = await plane.worker().join();
    await perform(worker);
    plane.rooms.isAnswering = false;

    expect(await reconciler.look()).toMatchObject({ rooms: null, findings: [] });
  });
});
