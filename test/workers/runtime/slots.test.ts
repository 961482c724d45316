import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CannotPerform } from '../../../workers/runtime/performance.ts';
import {
  ACCOUNT,
  request,
  startControlPlane,
  type ControlPlane,
} from '../../support/fleet/control-plane.ts';
import { scriptedWorker, type ScriptedWorker } from '../../support/fleet/scripted-worker.ts';
import { until } from '../../support/until.ts';

let plane: ControlPlane;
let worker: ScriptedWorker;

beforeEach(async () => {
  plane = await startControlPlane();
  worker = scriptedWorker(plane);
});

afterEach(async () => {
  await worker.close();
  await plane.close();
});

const find = (id: string) => plane.records.find(ACCOUNT.id, id);
const statusOf = async (id: string) => (await find(id))?.status;
const counts = () => plane.fleet.counts();

describe('slots', () => {
  test('perform an assigned session, and report its start and end', async () => {
    await worker.join();
    const { id, performance } = await worker.openSession();

    performance.start();
    await until(async () => (await statusOf(id)) === 'ongoing');
    performance.finish('agent_left');

    await until(async () => (await statusOf(id)) === 'completed');
    expect(await find(id)).toMatchObject({ endReason: 'agent_left' });
    expect(performance.calls).toEqual(['close']);
    expect(worker.slots.performing).toBe(0);
  });

  test('end a session when the gateway orders it', async () => {
    await worker.join();
    const { id, performance } = await worker.openSession();

    await plane.ending.end(ACCOUNT.id, id);

    await until(() => performance.calls.length === 2);
    expect(performance.calls).toEqual(['end ended_by_client', 'close']);
  });

  test('are free for the next session while one is still leaving', async () => {
    await worker.join();
    const [firstSession] = await Promise.all([worker.openSession('1'), worker.openSession('2')]);
    firstSession.performance.isSlowToLeave = true;
    await plane.ending.end(ACCOUNT.id, firstSession.id);
    await until(() => firstSession.performance.calls.length === 1);
    expect(worker.slots.performing).toBe(1);

    await worker.openSession('3');

    expect(worker.slots.performing).toBe(2);
    firstSession.performance.finish('ended_by_client');
  });

  test('refuse a session that cannot be performed', async () => {
    worker.cannotPerform = new Error('no such avatar here');
    await worker.join();
    const { session } = await plane.creation.open(ACCOUNT, request());
    await new Promise(setImmediate);
    await plane.closeSessions();

    expect(worker.slots.performing).toBe(0);
    expect(await statusOf(session.id)).toBe('to_start');
    await until(async () => (await counts()).leases === 0);
  });

  test('report a failed performance as ended', async () => {
    await worker.join();
    const { id, performance } = await worker.openSession();

    performance.fail(new Error('a bug'));

    await until(async () => (await statusOf(id)) === 'completed');
    expect(await find(id)).toMatchObject({ endReason: 'worker_lost' });
    expect(performance.calls).toEqual(['close']);
  });

  test('report more about an end than its reason', async () => {
    await worker.join();
    const { id, performance } = await worker.openSession();

    performance.endDetail = 'no answer from media.example:443';
    performance.finish('room_refused');

    await until(async () => (await statusOf(id)) === 'completed');
    expect(await find(id)).toMatchObject({
      endReason: 'room_refused',
      endDetail: 'no answer from media.example:443',
    });
  });

  test('return a session that cannot be shown, which ends after three attempts', async () => {
    await worker.join();
    const room = { url: 'wss://rooms.example', token: 'a token' };
    const { session } = await plane.creation.open(ACCOUNT, request({ room }));

    for (const epoch of [1, 2, 3]) {
      await until(() => worker.stage.length === epoch);
      worker.stage[epoch - 1]!.fail(new CannotPerform('no bundle'));
      await until(() => worker.slots.performing === 0);
      // The worker is in cooldown after it returned a session.
      await until(
        async () => (await counts()).free === 0 || (await statusOf(session.id)) !== 'to_start',
      );
      plane.clock.advance(1_000);
    }

    await until(async () => (await statusOf(session.id)) === 'completed');
    expect(await find(session.id)).toMatchObject({ endReason: 'worker_lost' });
    expect(worker.stage.map(({ assign }) => assign.placement.epoch)).toEqual([1, 2, 3]);
    await until(async () => (await counts()).leases === 0);
  });

  test('count as lost after 2 s without beats, from the first session on', async () => {
    await worker.join();
    const { id, performance } = await worker.openSession();
    performance.start();
    await until(async () => (await statusOf(id)) === 'ongoing');

    // `advance` is synchronous: beats sent meanwhile do not arrive.
    plane.clock.advance(2_000);

    await until(() => !worker.link.isOpen);
  });

  test('lose a session without new frames, and no other', async () => {
    await worker.join();
    const [still, moving] = await Promise.all([worker.openSession('1'), worker.openSession('2')]);
    still.performance.framesShown = 1;

    await until(() => {
      moving.performance.framesShown += 1;
      plane.clock.advance(100);
      return still.performance.calls.length > 0;
    });

    expect(still.performance.calls).toEqual(['drop', 'close']);
    expect(moving.performance.calls).toEqual([]);
    expect(worker.link.isOpen).toBe(true);
  });

  test('change the picture of one session', async () => {
    await worker.join();
    const [changed, other] = await Promise.all([worker.openSession('1'), worker.openSession('2')]);

    const change = { framing: 'close', emotion: 'happy' } as const;
    const record = await plane.pictures.change(ACCOUNT.id, changed.id, change);
    await until(() => changed.performance.changes.length > 0);

    expect(record?.video).toMatchObject({ framing: 'close' });
    expect(changed.performance.changes).toMatchObject([change]);
    expect(other.performance.changes).toEqual([]);
  });

  test('reconnect with their sessions after a gateway outage', async () => {
    await worker.join();
    const { id, performance } = await worker.openSession();
    performance.start();
    await until(async () => (await statusOf(id)) === 'ongoing');

    plane.cutConnections();
    await until(() => !worker.link.isOpen);
    plane.clock.advance(100);
    await until(() => worker.link.isOpen);

    expect(performance.calls).toEqual([]);
    performance.finish('room_empty');
    await until(async () => (await statusOf(id)) === 'completed');
    expect(await find(id)).toMatchObject({ endReason: 'room_empty', epoch: 1 });
  });

  test('report a renewed token, also after a gateway outage', async () => {
    await worker.join();
    const { id, performance } = await worker.openSession();
    const renewed = async () => (await find(id))?.renewedToken;

    performance.tell.renewed('second');
    await until(async () => (await renewed()) === 'second');
    plane.cutConnections();
    await until(() => !worker.link.isOpen);
    performance.tell.renewed('third');
    plane.clock.advance(100);

    await until(async () => (await renewed()) === 'third');
    expect(await find(id)).toMatchObject({ roomToken: 'a token' });
  });

  test('report open segments, also if they changed during a gateway outage', async () => {
    await worker.join();
    const { id, performance } = await worker.openSession();
    const otherWorker = plane.worker({ workerId: 'worker-b' });

    performance.tell.speechProgressed([1.5]);
    plane.cutConnections();
    await until(() => !worker.link.isOpen);
    performance.tell.speechProgressed([2.5, 0]);
    plane.clock.advance(100);
    await until(() => worker.link.isOpen);
    await otherWorker.join();
    await worker.slots.close();
    await worker.link.close();

    const { placement, unanswered } = await otherWorker.next('assign');
    expect(placement).toEqual({ sessionId: id, epoch: 2 });
    expect(unanswered).toEqual([2.5, 0]);
  });

  test('report events of a gateway outage afterwards, with their age', async () => {
    await worker.join();
    const { id, performance } = await worker.openSession();
    plane.cutConnections();
    await until(() => !worker.link.isOpen);

    performance.start();
    await performance.started;
    plane.clock.advance(60);
    performance.finish('agent_left');
    await until(() => worker.slots.performing === 0);
    const endedAt = plane.clock.now();
    plane.clock.advance(40);

    await until(async () => (await statusOf(id)) === 'completed');
    expect(await find(id)).toMatchObject({
      startedAt: endedAt - 60,
      endedAt,
      endReason: 'agent_left',
      epoch: 1,
    });
  });

  test('drop a session that moved elsewhere, and report nothing about it', async () => {
    await worker.join();
    const { id, performance } = await worker.openSession();
    const otherWorker = await plane.worker({ workerId: 'worker-b' }).join();
    plane.cutConnections();
    await until(() => !worker.link.isOpen);
    // The outage is longer than its sessions wait; only then may the worker reconnect.
    await until(async () => (await counts()).workers === 0);
    await otherWorker.join();
    plane.clock.advance(99);
    plane.reports.workerLost('worker-a');
    await otherWorker.next('assign');
    plane.clock.advance(1);

    await until(() => performance.calls.length === 2);

    expect(performance.calls).toEqual(['drop', 'close']);
    expect(await find(id)).toMatchObject({ status: 'to_start', epoch: 2 });
    performance.finish('replaced');
    await performance.ended;
    expect(await find(id)).toMatchObject({ status: 'to_start', epoch: 2 });
  });
});
