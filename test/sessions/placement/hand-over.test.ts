import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ACCOUNT,
  startControlPlane,
  type ControlPlane,
} from '../../support/fleet/control-plane.ts';
import { lose, noticed, ongoing } from '../../support/fleet/loss.ts';
import type { SimulatedWorker } from '../../support/simulated-worker.ts';
import { until } from '../../support/until.ts';

let plane: ControlPlane;
beforeEach(async () => {
  plane = await startControlPlane();
});
afterEach(() => plane.close());

const find = (id: string) => plane.records.find(ACCOUNT.id, id);
const counts = () => plane.fleet.counts();

/** Reports that the time of the drain has run out. */
const leaves = (worker: SimulatedWorker) =>
  worker.say({
    type: 'load',
    performing: worker.performing.size,
    lateFrames: 0,
    draining: true,
    drainLeftMs: 0,
  });

/** A session whose worker was asked to release it to `second`. */
async function releasing() {
  const workerA = await plane.worker().join();
  const { id, placement } = await ongoing(plane, workerA);
  const workerB = await plane.worker().join();
  leaves(workerA);
  const release = await workerA.next('release');
  return { first: workerA, second: workerB, id, placement, release };
}

const countOf = (worker: SimulatedWorker, type: string) =>
  worker.messages.filter((message) => message.type === type).length;

describe('a session whose worker is about to exit', () => {
  test('moves once its worker has released it, with one start and one end', async () => {
    const { first: workerA, second: workerB, id, placement, release } = await releasing();
    await workerB.atRest();
    const assignedBefore = countOf(workerB, 'assign');

    workerA.say({ type: 'released', placement });
    const { placement: nextPlacement } = await workerB.next('assign');
    await workerB.started(nextPlacement);
    await workerA.ended(placement, 'replaced');
    await workerB.ended(nextPlacement, 'agent_left');

    expect(release).toMatchObject({ placement, withinMs: 8_000 });
    expect(assignedBefore).toBe(0);
    expect(nextPlacement).toEqual({ sessionId: id, epoch: 2 });
    expect(await find(id)).toMatchObject({ endReason: 'agent_left', workerId: workerB.workerId });
    expect(plane.eventNames).toEqual(['session.started', 'session.ended agent_left']);
    expect(await counts()).toMatchObject({ leases: 0 });
  });

  test('passes on the open speech segments when it moves in mid-speech', async () => {
    const { first: workerA, second: workerB, placement } = await releasing();

    workerA.say({ type: 'speech', placement, open: [7.25] });
    workerA.say({ type: 'released', placement });

    expect((await workerB.next('assign')).unanswered).toEqual([7.25]);
  });

  test('stays while there is no slot elsewhere and moves when one comes free', async () => {
    const workerA = await plane.worker().join();
    const { id, placement } = await ongoing(plane, workerA);
    leaves(workerA);
    await until(async () => (await counts()).waiting === 1);
    await plane.stayFor(6_000);
    expect(countOf(workerA, 'release')).toBe(0);
    expect(await find(id)).toMatchObject({ status: 'ongoing', epoch: 1 });

    leaves(workerA);
    const workerB = await plane.worker().join();
    await workerA.next('release');
    workerA.say({ type: 'released', placement });

    expect((await workerB.next('assign')).placement).toEqual({ sessionId: id, epoch: 2 });
  });

  test('moves when its worker does not answer in time', async () => {
    const { second: workerB, id } = await releasing();

    await plane.stayFor(10_000);

    expect((await workerB.next('assign')).placement).toEqual({ sessionId: id, epoch: 2 });
  });

  test('moves to its reserved slot at once when its worker dies during the release', async () => {
    const { first: workerA, second: workerB, id } = await releasing();

    await lose(plane, workerA, 1);

    const { placement } = await workerB.next('assign');
    expect(placement).toEqual({ sessionId: id, epoch: 2 });
    await workerB.started(placement);
    expect(await find(id)).toMatchObject({ status: 'ongoing', epoch: 2 });
    expect(await counts()).toMatchObject({ leases: 1, waiting: 0 });
  });

  test('continues the search as after a loss when its worker dies before there is a slot', async () => {
    const workerA = await plane.worker().join();
    const { id } = await ongoing(plane, workerA);
    leaves(workerA);
    await until(async () => (await counts()).waiting === 1);
    await lose(plane, workerA);
    await plane.stayFor(10_000);

    const workerB = await plane.worker().join();

    expect((await workerB.next('assign')).placement).toEqual({ sessionId: id, epoch: 2 });
  });

  test('is released again by a worker that reconnected', async () => {
    const { first: workerA, second: workerB, placement } = await releasing();
    workerA.loseConnection();
    await noticed(plane, 1);

    await workerA.join();
    leaves(workerA);
    await workerA.next('release');
    workerA.say({ type: 'released', placement });

    expect((await workerB.next('assign')).placement.epoch).toBe(2);
    expect(countOf(workerA, 'drop')).toBe(0);
  });

  test('moves to a third worker when the second refuses it', async () => {
    const { first: workerA, second: workerB, id, placement } = await releasing();
    workerB.mood = 'refuses';
    workerA.say({ type: 'released', placement });
    await workerB.next('assign');

    const third = await plane.worker().join();

    const { placement: nextPlacement } = await third.next('assign');
    expect(nextPlacement).toEqual({ sessionId: id, epoch: 3 });
    await third.started(nextPlacement);
    expect(await find(id)).toMatchObject({ status: 'ongoing', workerId: third.workerId });
    expect(plane.eventNames).toEqual(['session.started']);
  });

  test('frees the reserved slot when it ends before the release', async () => {
    const { first: workerA, second: workerB, id, placement } = await releasing();

    await workerA.ended(placement, 'agent_left');

    expect(await find(id)).toMatchObject({ endReason: 'agent_left', epoch: 1 });
    expect(await counts()).toMatchObject({ leases: 0, free: 1 });
    await workerB.atRest();
    expect(countOf(workerB, 'assign')).toBe(0);
  });

  test('ends on both workers before the successor’s first frame', async () => {
    const { first: workerA, second: workerB, id, placement } = await releasing();
    workerA.say({ type: 'released', placement });
    await workerB.next('assign');

    await plane.ending.end(ACCOUNT.id, id);

    expect((await workerB.next('end')).reason).toBe('ended_by_client');
    expect(await workerA.next('drop')).toEqual({ type: 'drop', placement });
    expect(await counts()).toMatchObject({ leases: 0 });
  });

  test('is not dropped by the former worker after the successor’s first frame', async () => {
    const { first: workerA, second: workerB, id, placement } = await releasing();
    workerA.say({ type: 'released', placement });
    const { placement: nextPlacement } = await workerB.next('assign');
    await workerB.started(nextPlacement);

    await plane.ending.end(ACCOUNT.id, id);
    await workerA.atRest();

    expect(countOf(workerA, 'drop')).toBe(0);
  });

  test('leaves no timer when the control plane stops during the move', async () => {
    await releasing();

    await plane.stop();

    expect(plane.clock.waiting).toBe(0);
  });
});
