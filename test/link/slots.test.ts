import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ControlLink } from '../../workers/link/control-link.ts';
import type { Perform } from '../../workers/link/performance.ts';
import { Slots } from '../../workers/link/slots.ts';
import {
  ACCOUNT,
  quietLog,
  request,
  startControlPlane,
  WORKER_TOKEN,
  type ControlPlane,
} from '../support/control-plane.ts';
import { ToldPerformance } from '../support/told-performance.ts';
import { until } from '../support/until.ts';

let plane: ControlPlane;
let link: ControlLink;
let slots: Slots;
let stage: ToldPerformance[];
let cannotPerform: Error | null;

beforeEach(async () => {
  plane = await startControlPlane();
  ({ link, slots, stage } = worker(2));
  cannotPerform = null;
});

afterEach(async () => {
  for (const performance of stage) performance.closeAtLast();
  await slots.close();
  await link.close();
  await plane.close();
});

/** A worker's own link and slots, connected to the real gateway. */
function worker(count: number) {
  const stage: ToldPerformance[] = [];
  const link = new ControlLink({
    url: plane.url,
    token: WORKER_TOKEN,
    facts: {
      workerId: 'worker-a',
      kind: 'avatar',
      slots: count,
      transports: ['mediaserver'],
      avatars: ['nora'],
      version: '1',
    },
    clock: plane.clock,
    log: quietLog,
    random: () => 1,
  });
  const perform: Perform = (assign, onRenewed) => {
    if (cannotPerform) throw cannotPerform;
    const performance = new ToldPerformance(assign, onRenewed);
    stage.push(performance);
    return performance;
  };
  const slots = new Slots({ link, perform, clock: plane.clock, log: quietLog });
  return { link, slots, stage };
}

async function join(): Promise<void> {
  slots.open();
  await until(async () => (await plane.fleet.counts()).workers === 1);
}

async function openSession(token = 'a token') {
  const room = { url: 'wss://rooms.example', token };
  const { session } = await plane.sessions.open(ACCOUNT, request({ room }));
  await until(() => stage.some(({ assign }) => assign.placement.sessionId === session.id));
  const performance = stage.find(({ assign }) => assign.placement.sessionId === session.id);
  return { id: session.id, performance: performance! };
}

const find = (id: string) => plane.sessions.find(ACCOUNT.id, id);
const statusOf = async (id: string) => (await find(id))?.status;
const counts = () => plane.fleet.counts();

describe('slots of a worker', () => {
  test('perform what is assigned, and report start and end', async () => {
    await join();
    const { id, performance } = await openSession();

    performance.start();
    await until(async () => (await statusOf(id)) === 'ongoing');
    performance.finish('agent_left');

    await until(async () => (await statusOf(id)) === 'completed');
    expect(await find(id)).toMatchObject({ endReason: 'agent_left' });
    expect(performance.seen).toEqual(['close']);
    expect(slots.performing).toBe(0);
  });

  test('end what the gateway ends', async () => {
    await join();
    const { id, performance } = await openSession();

    await plane.sessions.end(ACCOUNT.id, id);

    await until(() => performance.seen.length === 2);
    expect(performance.seen).toEqual(['end ended_by_client', 'close']);
  });

  test('are free for the next while a session is still leaving', async () => {
    await join();
    const [first] = await Promise.all([openSession('1'), openSession('2')]);
    first.performance.isSlowToLeave = true;
    await plane.sessions.end(ACCOUNT.id, first.id);
    await until(() => first.performance.seen.length === 1);
    expect(slots.performing).toBe(1);

    await openSession('3');

    expect(slots.performing).toBe(2);
    first.performance.finish('ended_by_client');
  });

  test('refuse what they cannot perform', async () => {
    cannotPerform = new Error('no such avatar here');
    await join();
    const { session } = await plane.sessions.open(ACCOUNT, request());
    await plane.sessions.close();

    expect(slots.performing).toBe(0);
    expect(await statusOf(session.id)).toBe('to_start');
    await until(async () => (await counts()).leases === 0);
  });

  test('take a performance that fails for over', async () => {
    await join();
    const { id, performance } = await openSession();

    performance.fail(new Error('a bug'));

    await until(async () => (await statusOf(id)) === 'completed');
    expect(await find(id)).toMatchObject({ endReason: 'worker_lost' });
    expect(performance.seen).toEqual(['close']);
  });

  test('come back with what they perform after the gateway was away', async () => {
    await join();
    const { id, performance } = await openSession();
    performance.start();
    await until(async () => (await statusOf(id)) === 'ongoing');

    plane.cutConnections();
    await until(() => !link.isOpen);
    plane.clock.advance(100);
    await until(() => link.isOpen);

    expect(performance.seen).toEqual([]);
    performance.finish('room_empty');
    await until(async () => (await statusOf(id)) === 'completed');
    expect(await find(id)).toMatchObject({ endReason: 'room_empty', epoch: 1 });
  });

  test('tell which token the room renewed, also while the gateway was away', async () => {
    await join();
    const { id, performance } = await openSession();
    const renewed = async () => (await find(id))?.renewedToken;

    performance.renew('second');
    await until(async () => (await renewed()) === 'second');
    plane.cutConnections();
    await until(() => !link.isOpen);
    performance.renew('third');
    plane.clock.advance(100);

    await until(async () => (await renewed()) === 'third');
    expect(await find(id)).toMatchObject({ roomToken: 'a token' });
  });

  test('report later what happened while the gateway was away, with its age', async () => {
    await join();
    const { id, performance } = await openSession();
    plane.cutConnections();
    await until(() => !link.isOpen);

    performance.start();
    await performance.started;
    plane.clock.advance(60);
    performance.finish('agent_left');
    await until(() => slots.performing === 0);
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

  test('drop what went on elsewhere, and say nothing of it', async () => {
    await join();
    const { id, performance } = await openSession();
    const other = await plane.worker({ workerId: 'worker-b' }).join();
    plane.cutConnections();
    await until(() => !link.isOpen);
    // Away for longer than its sessions wait: only then it may try again.
    await until(async () => (await counts()).workers === 0);
    await other.join();
    plane.clock.advance(99);
    plane.sessions.workerLost('worker-a');
    await other.next('assign');
    plane.clock.advance(1);

    await until(() => performance.seen.length === 2);

    expect(performance.seen).toEqual(['drop', 'close']);
    expect(await find(id)).toMatchObject({ status: 'to_start', epoch: 2 });
    performance.finish('replaced');
    await performance.ended;
    expect(await find(id)).toMatchObject({ status: 'to_start', epoch: 2 });
  });
});

describe('draining', () => {
  test('takes nothing new, finishes what runs, and is over when all is recorded', async () => {
    await join();
    const { id, performance } = await openSession();

    slots.drain();
    await until(async () => (await counts()).draining === 1);
    expect(performance.seen).toEqual([]);
    performance.finish('agent_left');

    await slots.drained;
    expect(await find(id)).toMatchObject({ status: 'completed', endReason: 'agent_left' });
  });

  test('is asked for by the gateway too', async () => {
    await join();

    await plane.fleet.drain('worker-a');

    await slots.drained;
    await until(async () => (await counts()).draining === 1);
  });

  test('in a hurry ends what runs with a reason, and waits until it is recorded', async () => {
    await join();
    const { id, performance } = await openSession();

    await slots.endAll('service_stopped', 2_000);

    expect(performance.seen).toEqual(['end service_stopped', 'close']);
    expect(await find(id)).toMatchObject({ endReason: 'service_stopped' });
  });

  test('in a hurry does not wait for a gateway that is gone', async () => {
    await join();
    await openSession();
    await plane.stop();
    await until(() => !link.isOpen);

    const ended = slots.endAll('service_stopped', 2_000);
    await until(() => slots.performing === 0);
    plane.clock.advance(0);
    await until(() => {
      plane.clock.advance(100);
      return plane.clock.elapsed() > 3_000;
    });

    await ended;
  });

  test('closing hands what runs over to another worker', async () => {
    await join();
    const { id, performance } = await openSession();
    const other = await plane.worker({ workerId: 'worker-b' }).join();

    await slots.close();
    await link.close();

    expect(performance.seen).toEqual(['drop', 'close']);
    expect((await other.next('assign')).placement).toEqual({ sessionId: id, epoch: 2 });
  });

  test('closing waits for what is slow to close', async () => {
    await join();
    const { performance } = await openSession();
    performance.isSlowToClose = true;
    let isClosed = false;

    const closing = slots.close().then(() => (isClosed = true));
    await until(() => performance.seen.includes('close'));
    expect(isClosed).toBe(false);
    performance.closeAtLast();

    await closing;
  });
});
