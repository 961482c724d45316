import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Load } from '#protocol/worker/worker-messages.ts';
import {
  ACCOUNT,
  startControlPlane,
  type ControlPlane,
} from '../../support/fleet/control-plane.ts';
import { scriptedWorker, type ScriptedWorker } from '../../support/fleet/scripted-worker.ts';
import { settle } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';

let plane: ControlPlane;
let worker: ScriptedWorker;

beforeEach(async () => {
  // Drains take minutes: the intervals must not end connections.
  plane = await startControlPlane({ gatewayTimes: { pingEveryMs: 60_000, beatEveryMs: 600_000 } });
  worker = scriptedWorker(plane);
});

afterEach(async () => {
  await worker.close();
  await plane.close();
});

const find = (id: string) => plane.records.find(ACCOUNT.id, id);
const statusOf = async (id: string) => (await find(id))?.status;
const counts = () => plane.fleet.counts();

describe('a draining worker', () => {
  test('accepts nothing, finishes its sessions, and is drained when all ends are recorded', async () => {
    await worker.join();
    const { id, performance } = await worker.openSession();

    worker.slots.drain();
    await until(async () => (await counts()).draining === 1);
    expect(performance.calls).toEqual([]);
    performance.finish('agent_left');

    await worker.slots.drained;
    expect(await find(id)).toMatchObject({ status: 'completed', endReason: 'agent_left' });
  });

  test('starts by itself when idle after the configured number of sessions', async () => {
    await worker.close();
    worker = scriptedWorker(plane, { renewAfter: 2 });
    await worker.join();
    const firstSession = await worker.openSession('one');
    const second = await worker.openSession('two');
    firstSession.performance.finish('agent_left');
    await until(async () => (await statusOf(firstSession.id)) === 'completed');
    const third = await worker.openSession('three');

    second.performance.finish('agent_left');
    await until(async () => (await statusOf(second.id)) === 'completed');
    expect((await counts()).draining).toBe(0);
    third.performance.finish('agent_left');

    await worker.slots.drained;
    expect(await statusOf(third.id)).toBe('completed');
  });

  test('obeys an order of the gateway', async () => {
    await worker.join();

    await plane.fleet.drain('worker-a');

    await worker.slots.drained;
    await until(async () => (await counts()).draining === 1);
  });

  test('hands over its sessions when the time is up, and is drained when they have moved', async () => {
    await worker.join();
    const { id, performance } = await worker.openSession();
    performance.start();
    await until(async () => (await statusOf(id)) === 'ongoing');
    const otherWorker = await plane.worker({ workerId: 'worker-b' }).join();
    worker.slots.drain();
    plane.clock.advance(59_999);
    expect(performance.calls).toEqual([]);

    plane.clock.advance(1);
    await until(() => performance.calls.length === 1);
    performance.fallSilent();
    const { placement } = await otherWorker.next('assign');
    await otherWorker.started(placement);
    performance.finish('replaced');

    await worker.slots.drained;
    expect(placement).toEqual({ sessionId: id, epoch: 2 });
    expect(performance.calls).toEqual(['release 8000', 'close']);
    expect(await find(id)).toMatchObject({ status: 'ongoing', workerId: 'worker-b' });
    expect(plane.eventNames).toEqual(['session.started']);
  });

  test('does not wait indefinitely for another worker', async () => {
    await worker.join();
    const { id, performance } = await worker.openSession();
    performance.start();
    await until(async () => (await statusOf(id)) === 'ongoing');
    worker.slots.drain();
    plane.clock.advance(60_000);
    await until(async () => (await counts()).waiting === 1);
    plane.clock.advance(15_000);

    await worker.slots.drained;
    await worker.slots.close();
    await worker.link.close();

    expect(performance.calls).toEqual(['drop', 'close']);
    const otherWorker = await plane.worker({ workerId: 'worker-b' }).join();
    expect((await otherWorker.next('assign')).placement).toMatchObject({ sessionId: id });
  });

  test('reports how long its sessions may continue', async () => {
    await worker.join();
    const loads: Load[] = [];
    const report = plane.fleet.report.bind(plane.fleet);
    plane.fleet.report = (workerId, load) => {
      loads.push({ type: 'load', ...load });
      report(workerId, load);
    };
    await worker.openSession();

    worker.slots.drain();
    await until(() => loads.at(-1)?.draining === true);

    expect(loads.at(-1)).toMatchObject({ draining: true, drainLeftMs: 60_000 });
    expect(loads[0]).not.toHaveProperty('drainLeftMs');
  });

  test('ends all sessions with a reason on shutdown, and waits until that is recorded', async () => {
    await worker.join();
    const { id, performance } = await worker.openSession();

    await worker.slots.endAll('service_stopped', 2_000);

    expect(performance.calls).toEqual(['end service_stopped', 'close']);
    expect(await find(id)).toMatchObject({ endReason: 'service_stopped' });
  });

  test('does not wait on shutdown for a gateway that is gone', async () => {
    await worker.join();
    await worker.openSession();
    await plane.stop();
    await until(() => !worker.link.isOpen);

    const ended = worker.slots.endAll('service_stopped', 2_000);
    await until(() => worker.slots.performing === 0);
    plane.clock.advance(0);
    await until(() => {
      plane.clock.advance(100);
      return plane.clock.elapsed() > 3_000;
    });

    await ended;
  });

  test('leaves its sessions to another worker when closed', async () => {
    await worker.join();
    const { id, performance } = await worker.openSession();
    const otherWorker = await plane.worker({ workerId: 'worker-b' }).join();

    await worker.slots.close();
    await worker.link.close();

    expect(performance.calls).toEqual(['drop', 'close']);
    expect((await otherWorker.next('assign')).placement).toEqual({ sessionId: id, epoch: 2 });
  });

  test('does not begin to drain when closing ends its last session before renewal', async () => {
    await worker.close();
    worker = scriptedWorker(plane, { renewAfter: 1 });
    await worker.join();
    await worker.openSession();
    let isDrained = false;
    void worker.slots.drained.then(() => (isDrained = true));

    await worker.slots.close();
    await settle();

    expect(isDrained).toBe(false);
  });

  test('waits on close for sessions that close slowly', async () => {
    await worker.join();
    const { performance } = await worker.openSession();
    performance.isSlowToClose = true;
    let isClosed = false;

    const closing = worker.slots.close().then(() => (isClosed = true));
    await until(() => performance.calls.includes('close'));
    expect(isClosed).toBe(false);
    performance.closeAtLast();

    await closing;
  });
});
