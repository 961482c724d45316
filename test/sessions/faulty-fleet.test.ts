import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SessionOwnership } from '../../src/cluster/session-ownership.ts';
import {
  ACCOUNT,
  openRecords,
  request,
  startControlPlane,
  type ControlPlane,
  type Store,
} from '../support/fleet/control-plane.ts';
import { lose, noticed, ongoing } from '../support/fleet/loss.ts';
import { until } from '../support/until.ts';

const away = new Error('Redis is away');

let store: Store;
let plane: ControlPlane;
/** Answer of `ownership`. */
let isOwned: boolean;
let takeOver: (sessionId: string) => void;
/** Sessions that the lost control plane owned. */
let orphans: string[];
const ownership: SessionOwnership = {
  claim: async () => isOwned,
  adopt: async () => (isOwned ? 'owned' : 'elsewhere'),
  onTakenOver: (listener) => {
    takeOver = listener;
  },
  release: async () => {},
  ownerOf: async () => null,
  ownedBy: async () => orphans,
};
beforeEach(async () => {
  isOwned = true;
  orphans = [];
  store = await openRecords();
  plane = await startControlPlane({ store, ownership });
});
afterEach(async () => {
  await plane.close();
  await store.db.destroy();
});

const find = (id: string) => plane.records.find(ACCOUNT.id, id);

describe('a session whose fleet cannot answer', () => {
  test('searches until the fleet answers again', async () => {
    const workerA = await plane.worker().join();
    const { id } = await ongoing(plane, workerA);
    const reserve = vi.spyOn(plane.fleet, 'reserve').mockRejectedValue(away);
    await lose(plane, workerA);
    for (let second = 1; second <= 30; second++) {
      await until(() => reserve.mock.calls.length === second);
      await plane.stayFor(1_000, []);
    }

    reserve.mockRestore();
    const workerB = await plane.worker().join();
    await plane.stayFor(1_000);

    expect((await workerB.next('assign')).placement).toEqual({ sessionId: id, epoch: 2 });
  });

  test('ends after the extended deadline', async () => {
    const workerA = await plane.worker().join();
    const { id } = await ongoing(plane, workerA);
    vi.spyOn(plane.fleet, 'reserve').mockRejectedValue(away);
    await lose(plane, workerA);

    await plane.stayFor(80_000, []);

    await until(async () => (await find(id))?.endReason === 'worker_lost');
  });

  test('ends for its caller all the same, and frees its slot', async () => {
    const worker = await plane.worker().join();
    const { id } = await ongoing(plane, worker);
    vi.spyOn(plane.fleet, 'send').mockRejectedValue(away);

    const ended = await plane.ending.end(ACCOUNT.id, id);

    expect(ended?.after).toMatchObject({ status: 'completed', endReason: 'ended_by_client' });
    expect(await plane.fleet.leases()).toEqual([]);
  });

  test('ends for its caller when its slot cannot be freed', async () => {
    const worker = await plane.worker().join();
    const { id } = await ongoing(plane, worker);
    vi.spyOn(plane.fleet, 'free').mockRejectedValue(away);

    await plane.ending.end(ACCOUNT.id, id);

    await until(() => !worker.performing.has(id));
    expect(await find(id)).toMatchObject({ endReason: 'ended_by_client' });
  });

  test('is placed again when its assignment cannot be sent', async () => {
    const worker = await plane.worker({ slots: 2 }).join();
    vi.spyOn(plane.fleet, 'assign').mockRejectedValueOnce(away);

    const { id, placement } = await ongoing(plane, worker);

    expect(placement).toEqual({ sessionId: id, epoch: 2 });
    expect(await plane.fleet.counts()).toMatchObject({ leases: 1, free: 1 });
  });
});

describe('a session whose worker left unnoticed', () => {
  test('is placed again after a look for missing workers', async () => {
    const workerA = await plane.worker().join();
    const { id, placement } = await ongoing(plane, workerA);
    const stays = await plane.worker().join();
    const { placement: keptPlacement } = await ongoing(plane, stays, 'another token');
    vi.spyOn(plane.reports, 'workerLost').mockImplementationOnce(() => {});
    await lose(plane, workerA, 1);
    const workerC = await plane.worker().join();

    vi.spyOn(plane.fleet, 'workers').mockRejectedValueOnce(away);
    plane.recovery.lookForWorkers();
    await plane.stayFor(13_000, [stays, workerC]);

    expect((await workerC.next('assign')).placement).toEqual({ sessionId: id, epoch: 2 });
    expect(placement.epoch).toBe(1);
    expect(await find(keptPlacement.sessionId)).toMatchObject({ epoch: 1, status: 'ongoing' });
  });
});

describe('a session that another control plane has taken over', () => {
  test('is closed when its new owner is known, and neither placed nor ended', async () => {
    const workerA = await plane.worker().join();
    const { id, placement } = await ongoing(plane, workerA);

    takeOver(id);
    await lose(plane, workerA);
    const workerB = await plane.worker().join();
    await plane.stayFor(20_000, [workerB]);

    expect(workerB.messages.filter(({ type }) => type === 'assign')).toEqual([]);
    expect(await find(id)).toMatchObject({ status: 'ongoing', epoch: placement.epoch });
    expect(plane.live.has(id)).toBe(false);
  });

  test('is not placed again before its new owner is known', async () => {
    const workerA = await plane.worker().join();
    const { id } = await ongoing(plane, workerA);
    isOwned = false;

    await lose(plane, workerA);
    const workerB = await plane.worker().join();
    await noticed(plane, 1);
    await plane.stayFor(20_000, [workerB]);

    expect(workerB.messages.filter(({ type }) => type === 'assign')).toEqual([]);
    expect(await find(id)).toMatchObject({ status: 'ongoing', epoch: 1 });
  });
});

describe('the sessions of a control plane that died while the database was unavailable', () => {
  test('are recovered when the database is back', async () => {
    const dying = await startControlPlane({ store, ownership });
    await dying.worker().join();
    const { session } = await dying.creation.open(ACCOUNT, request());
    await dying.stop();
    orphans = [session.id];
    const live = vi
      .spyOn(store.records, 'live')
      .mockRejectedValue(new Error('the database is unavailable'));

    await plane.recovery.takeOver('node-b');
    plane.clock.advance(1_000);
    await until(() => live.mock.calls.length === 2);
    await until(() => plane.clock.nextInMs === 1_000);
    expect(plane.live.has(session.id)).toBe(false);

    live.mockRestore();
    plane.clock.advance(1_000);
    await until(() => plane.live.has(session.id));
    const worker = await plane.worker().join();
    await plane.stayFor(6_000);
    expect((await worker.next('assign')).placement).toEqual({ sessionId: session.id, epoch: 2 });
    await dying.close();
  });
});
