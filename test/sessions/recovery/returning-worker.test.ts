import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ACCOUNT,
  request,
  startControlPlane,
  type ControlPlane,
} from '../../support/fleet/control-plane.ts';
import { FakeConnection } from '../../support/fleet/fake-connection.ts';
import { holdSaves } from '../../support/records/hold-saves.ts';
import { lose, noticed, ongoing } from '../../support/fleet/loss.ts';
import { until } from '../../support/until.ts';

let plane: ControlPlane;
beforeEach(async () => {
  plane = await startControlPlane();
});
afterEach(() => plane.close());

const find = (id: string) => plane.records.find(ACCOUNT.id, id);
const counts = () => plane.fleet.counts();

describe('a worker that reconnects', () => {
  test('within moments keeps its sessions', async () => {
    const worker = await plane.worker().join();
    const { id, placement } = await ongoing(plane, worker);
    const otherWorker = await plane.worker().join();
    worker.loseConnection();
    await noticed(plane, 1);
    plane.clock.advance(399);

    await worker.join();
    await plane.stayFor(20_000);

    expect(worker.performing.size).toBe(1);
    expect(otherWorker.performing.size).toBe(0);
    expect(await find(id)).toMatchObject({ status: 'ongoing', epoch: 1 });
    await worker.ended(placement, 'agent_left');
    expect(await find(id)).toMatchObject({ endReason: 'agent_left' });
  });

  test.each([
    { answersInMs: 0, hasMs: 200 },
    { answersInMs: 20, hasMs: 300 },
    { answersInMs: 100, hasMs: 400 },
  ])('has $hasMs ms when it answers pings in $answersInMs ms', async ({ answersInMs, hasMs }) => {
    const worker = await plane.worker().join();
    worker.answersPings = false;
    const { id } = await ongoing(plane, worker);
    const otherWorker = await plane.worker().join();
    const loseFor = async (ms: number) => {
      await plane.stayFor(3_000);
      plane.clock.advance(answersInMs);
      worker.say({ type: 'pong' });
      await worker.atRest();
      worker.loseConnection();
      await noticed(plane, 1);
      plane.clock.advance(ms);
    };

    await loseFor(hasMs - 1);
    await worker.join();
    await loseFor(hasMs);

    expect((await otherWorker.next('assign')).placement).toEqual({ sessionId: id, epoch: 2 });
  });

  test('while its session waits for another slot keeps it', async () => {
    const worker = await plane.worker().join();
    const { id, placement } = await ongoing(plane, worker);
    worker.loseConnection();
    await noticed(plane);
    plane.clock.advance(10_000);
    await until(async () => (await counts()).waiting === 1);

    await worker.join();

    expect(await counts()).toMatchObject({ waiting: 0, leases: 1, free: 0 });
    await worker.ended(placement, 'agent_left');
    expect(await find(id)).toMatchObject({ endReason: 'agent_left', epoch: 1 });
  });

  test('too late must drop a session that continues elsewhere, and its reports are stale', async () => {
    const workerA = await plane.worker().join();
    const { id, placement } = await ongoing(plane, workerA);
    const workerB = await plane.worker().join();
    workerA.loseConnection();
    await noticed(plane, 1);
    plane.clock.advance(1_000);
    await workerB.next('assign');

    await workerA.join();

    expect(await workerA.next('drop')).toEqual({ type: 'drop', placement });
    expect(workerA.performing.size).toBe(0);
    await workerA.ended(placement, 'replaced');
    expect(await find(id)).toMatchObject({ status: 'ongoing', epoch: 2 });
  });

  test('from a silence and replaces its successor in the room does not end the session', async () => {
    const workerA = await plane.worker({ slots: 2 }).join();
    const { id } = await ongoing(plane, workerA);
    const workerB = await plane.worker().join();
    workerA.stopReading();
    await plane.stayFor(14_000);
    const { placement } = await workerB.next('assign');
    await workerB.started(placement);

    await workerB.ended(placement, 'replaced');
    const { placement: nextPlacement } = await workerB.next('assign');
    await workerB.started(nextPlacement);

    expect(nextPlacement).toEqual({ sessionId: id, epoch: 3 });
    expect(await find(id)).toMatchObject({ status: 'ongoing', epoch: 3 });
    expect(plane.eventNames).toEqual(['session.started']);
    // A second replacement comes from another participant.
    await workerB.ended(nextPlacement, 'replaced');
    expect(await find(id)).toMatchObject({ endReason: 'replaced' });
  });

  test('from a loss before its first frame and joins after its successor does not end the session', async () => {
    const workerA = await plane.worker().join();
    const { session } = await plane.creation.open(ACCOUNT, request());
    await workerA.next('assign');
    const workerB = await plane.worker().join();
    workerA.loseConnection();
    await noticed(plane, 1);
    plane.clock.advance(1_000);
    const { placement } = await workerB.next('assign');
    await workerB.started(placement);

    await workerB.ended(placement, 'replaced');
    const { placement: nextPlacement } = await workerB.next('assign');
    await workerB.started(nextPlacement);

    expect(await find(session.id)).toMatchObject({ status: 'ongoing', epoch: 3 });
  });

  test('cannot have died: a replaced successor then ends the session', async () => {
    const workerA = await plane.worker().join();
    const { id } = await ongoing(plane, workerA);
    const workerB = await plane.worker().join();
    await lose(plane, workerA, 1);
    const { placement } = await workerB.next('assign');
    await workerB.started(placement);

    await workerB.ended(placement, 'replaced');

    expect(await find(id)).toMatchObject({ status: 'completed', endReason: 'replaced' });
  });

  test('without an assigned session has it placed again', async () => {
    const worker = await plane.worker({ workerId: 'worker-a' }).join();
    const { id } = await ongoing(plane, worker);
    worker.crash();
    await noticed(plane);

    await worker.join();

    await worker.next('assign');
    expect(worker.performing.get(id)?.placement.epoch).toBe(2);
  });

  test('with a session that has ended must drop it', async () => {
    const worker = await plane.worker().join();
    const { id, placement } = await ongoing(plane, worker);
    worker.loseConnection();
    await noticed(plane);
    await plane.ending.end(ACCOUNT.id, id);

    await worker.join();

    expect(await worker.next('drop')).toEqual({ type: 'drop', placement });
    expect(await counts()).toMatchObject({ leases: 0, free: 1 });
  });

  test('with a session of another worker must drop it', async () => {
    const workerA = await plane.worker().join();
    const { placement } = await ongoing(plane, workerA);
    const stranger = plane.worker();
    const assign = workerA.performing.get(placement.sessionId);
    if (assign) stranger.performing.set(placement.sessionId, assign);

    await stranger.join();

    expect(await stranger.next('drop')).toEqual({ type: 'drop', placement });
    expect(workerA.performing.size).toBe(1);
  });

  test('with an older epoch of its session must drop it', async () => {
    const worker = await plane.worker().join();
    const { id, placement } = await ongoing(plane, worker);
    const older = worker.performing.get(id);
    worker.crash();
    await noticed(plane);
    await worker.join();
    await worker.next('assign');
    worker.loseConnection();
    await noticed(plane);
    if (older) worker.performing.set(id, older);

    await worker.join();

    expect(await worker.next('drop')).toEqual({ type: 'drop', placement });
    expect((await worker.next('assign')).placement).toEqual({ sessionId: id, epoch: 3 });
  });

  test('before its loss is recorded keeps its session', async () => {
    const worker = await plane.worker().join();
    const { id, placement } = await ongoing(plane, worker);
    const saving = holdSaves(plane.records);
    worker.say({ type: 'ended', id: 'report-1', placement, agoMs: 0, reason: 'agent_left' });
    await saving.begun;
    worker.loseConnection();
    await noticed(plane);
    plane.clock.advance(1_000);
    await worker.join();

    saving.fail();
    await until(() => plane.fleet.counts().then(({ waiting }) => waiting === 0));
    await worker.ended(placement, 'agent_left');

    expect(await find(id)).toMatchObject({ status: 'completed', epoch: 1 });
  });

  test('in the same moment as another slot comes free keeps its session and leaves that slot free', async () => {
    const worker = await plane.worker().join();
    const { id, placement } = await ongoing(plane, worker);
    await lose(plane, worker);
    await until(async () => (await counts()).waiting === 1);
    const otherConnection = new FakeConnection('worker-b', 1);

    const joined = plane.fleet.join(otherConnection);
    const { workerId } = worker;
    const claimed = plane.reports.handle(placement, { type: 'claimed', workerId });
    await joined;
    expect(await claimed).toBe('recorded');

    await until(async () => (await counts()).free === 1);
    expect(otherConnection.orders).toEqual([]);
    expect(await find(id)).toMatchObject({ epoch: 1, workerId: worker.workerId });
    await plane.fleet.leave(otherConnection);
  });

  test('is not waited for after a regular close', async () => {
    const workerA = await plane.worker().join();
    await ongoing(plane, workerA);
    const workerB = await plane.worker().join();

    await workerA.close();

    expect((await workerB.next('assign')).placement.epoch).toBe(2);
  });
});
