import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Placement } from '#protocol/placement.ts';
import type { WorkerMessage } from '#protocol/worker/worker-messages.ts';
import {
  ACCOUNT,
  request,
  startControlPlane,
  type ControlPlane,
} from '../support/fleet/control-plane.ts';
import type { SimulatedWorker } from '../support/simulated-worker.ts';

let plane: ControlPlane;
let holder: SimulatedWorker;
let otherWorker: SimulatedWorker;
let id: string;
let placement: Placement;

beforeEach(async () => {
  plane = await startControlPlane();
  holder = await plane.worker().join();
  id = (await plane.creation.open(ACCOUNT, request())).session.id;
  placement = (await holder.next('assign')).placement;
  otherWorker = await plane.worker().join();
});
afterEach(() => plane.close());

const find = () => plane.records.find(ACCOUNT.id, id);

const report = { id: 'report-1', agoMs: 0 };

describe('a worker that reports on a session of another one', () => {
  test.each<[string, (placement: Placement) => WorkerMessage]>([
    ['started', (placement) => ({ type: 'started', ...report, placement })],
    ['ended', (placement) => ({ type: 'ended', ...report, placement, reason: 'agent_left' })],
  ])('changes nothing and is told to drop it: %s', async (_what, message) => {
    otherWorker.say(message(placement));

    expect(await otherWorker.next('drop')).toEqual({ type: 'drop', placement });
    expect(await otherWorker.next('ack')).toEqual({ type: 'ack', id: 'report-1' });
    expect(await find()).toMatchObject({ status: 'to_start', workerId: holder.workerId });
    expect(plane.eventNames).toEqual([]);
  });

  test.each<[string, (placement: Placement) => WorkerMessage]>([
    ['renewed', (placement) => ({ type: 'renewed', placement, token: 'of another room' })],
    ['refused', (placement) => ({ type: 'refused', placement, why: 'no reason' })],
    ['beat', (placement) => ({ type: 'beat', performing: 1, stalled: [placement] })],
  ])('changes nothing: %s', async (_what, message) => {
    otherWorker.say(message(placement));
    await otherWorker.atRest();
    await holder.started(placement);

    expect(await find()).toMatchObject({
      status: 'ongoing',
      workerId: holder.workerId,
      epoch: 1,
      renewedToken: null,
      speech: null,
    });
    expect(holder.performing.size).toBe(1);
  });

  test('neither speaks for the holder nor releases the session', async () => {
    const timeline: string[] = [];
    plane.events.on('session.timeline', ({ entry }) => timeline.push(entry.kind));
    await holder.started(placement);
    const load = { performing: 1, lateFrames: 0, draining: true, drainLeftMs: 0 };
    holder.say({ type: 'load', ...load });
    await holder.next('release');

    otherWorker.say({ type: 'speech', placement, open: [7.25] });
    otherWorker.say({ type: 'noted', placement, happenings: [{ kind: 'joined', agoMs: 0 }] });
    otherWorker.say({ type: 'released', placement });
    await otherWorker.atRest();

    expect(otherWorker.performing.size).toBe(0);
    expect(timeline).not.toContain('joined');
    holder.say({ type: 'released', placement });
    expect(await otherWorker.next('assign')).not.toHaveProperty('unanswered');
  });

  test('changes nothing when its message names the holder', async () => {
    const named = { ...placement, workerId: holder.workerId };

    otherWorker.say({ type: 'ended', ...report, placement: named, reason: 'agent_left' });

    await otherWorker.next('drop');
    expect(await find()).toMatchObject({ status: 'to_start' });
  });
});
