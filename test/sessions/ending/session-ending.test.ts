import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ACCOUNT,
  request,
  startControlPlane,
  type ControlPlane,
} from '../../support/fleet/control-plane.ts';

let plane: ControlPlane;
beforeEach(async () => {
  plane = await startControlPlane();
});
afterEach(() => plane.close());

const find = (id: string) => plane.records.find(ACCOUNT.id, id);
const leases = async () => (await plane.fleet.counts()).leases;

describe('ending a session', () => {
  test('completes it at once and tells the worker to leave', async () => {
    const worker = await plane.worker().join();
    const { session } = await plane.creation.open(ACCOUNT, request());
    const { placement } = await worker.next('assign');
    await worker.started(placement);
    plane.clock.advance(1_000);

    const ended = await plane.ending.end(ACCOUNT.id, session.id);

    expect(ended?.before).toMatchObject({ status: 'ongoing', endedAt: null });
    expect(ended?.after).toMatchObject({
      status: 'completed',
      startedAt: plane.clock.now() - 1_000,
      endedAt: plane.clock.now(),
      endReason: 'ended_by_client',
    });
    expect(await worker.next('end')).toMatchObject({ placement, reason: 'ended_by_client' });
    expect(await leases()).toBe(0);
  });

  test('before its first frame gives equal start and end times', async () => {
    await plane.worker().join();
    const { session } = await plane.creation.open(ACCOUNT, request());

    const ended = await plane.ending.end(ACCOUNT.id, session.id);

    expect(ended?.after.startedAt).toBe(ended?.after.endedAt);
  });

  test('again changes nothing', async () => {
    await plane.worker().join();
    const { session } = await plane.creation.open(ACCOUNT, request());
    const firstEnd = await plane.ending.end(ACCOUNT.id, session.id);
    plane.clock.advance(1_000);

    const secondEnd = await plane.ending.end(ACCOUNT.id, session.id);

    expect(secondEnd).toEqual({ before: firstEnd?.after, after: firstEnd?.after });
    expect(plane.eventNames).toEqual(['session.ended ended_by_client']);
  });

  test('of another account is not found', async () => {
    await plane.worker().join();
    const { session } = await plane.creation.open(ACCOUNT, request());

    expect(await plane.ending.end('account-2', session.id)).toBeNull();
    expect(await find(session.id)).toMatchObject({ status: 'to_start' });
  });

  test('at the same time as the worker’s report keeps the first reason', async () => {
    const worker = await plane.worker().join();
    const { session } = await plane.creation.open(ACCOUNT, request());
    const { placement } = await worker.next('assign');

    const [ended] = await Promise.all([
      plane.ending.end(ACCOUNT.id, session.id),
      worker.ended(placement, 'agent_left'),
    ]);

    expect(plane.eventNames).toHaveLength(1);
    expect(await find(session.id)).toEqual(ended?.after);
  });
});
