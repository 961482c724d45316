import { afterEach, beforeEach, expect, test } from 'vitest';
import { Reconciler } from '../../../src/sessions/reconciliation/reconciler.ts';
import {
  openRecords,
  quietLog,
  startControlPlane,
  type ControlPlane,
  type Store,
} from '../../support/fleet/control-plane.ts';
import { until } from '../../support/until.ts';

let store: Store;
let plane: ControlPlane;
let reconciler: Reconciler;
/** Rounds so far. */
let rounds: number;
let isAway: boolean;
beforeEach(async () => {
  store = await openRecords();
  [rounds, isAway] = [0, false];
  const livePlaces = store.records.livePlaces.bind(store.records);
  store.records.livePlaces = async () => {
    rounds += 1;
    if (isAway) throw new Error('the database is away');
    return livePlaces();
  };
  // The test clock moves in large steps, which would make workers look silent.
  plane = await startControlPlane({ store, gatewayTimes: { pingEveryMs: 86_400_000 } });
  reconciler = new Reconciler({ ...plane, places: plane.live, log: quietLog });
});
afterEach(async () => {
  await reconciler.close();
  await plane.close();
  await store.db.destroy();
});

/** A slot without a session. */
const loseLease = () => plane.fleet.hold({ sessionId: 'nobody', epoch: 1, workerId: 'worker-a' });

/** Lets this time pass, and waits for the round that is due then, if one is. */
async function roundsAfter(ms: number): Promise<number> {
  plane.clock.advance(ms);
  await until(() => plane.clock.waiting === 1);
  return rounds;
}

test('runs every minute', async () => {
  reconciler.start();

  expect(await roundsAfter(59_999)).toBe(0);
  expect(await roundsAfter(1)).toBe(1);
  expect(await roundsAfter(59_999)).toBe(1);
  expect(await roundsAfter(1)).toBe(2);
});

test('repairs a difference after ten seconds', async () => {
  reconciler.start();
  await loseLease();
  await roundsAfter(60_000);
  expect(await plane.fleet.leases()).toHaveLength(1);

  await roundsAfter(10_000);

  expect(await plane.fleet.leases()).toEqual([]);
  expect(await roundsAfter(59_999)).toBe(2);
});

test('has no third round for a difference that is new in the second one', async () => {
  reconciler.start();
  isAway = true;
  await roundsAfter(60_000);
  isAway = false;
  await loseLease();

  expect(await roundsAfter(10_000)).toBe(2);
  expect(await roundsAfter(59_999)).toBe(2);
  await roundsAfter(1);

  expect(await plane.fleet.leases()).toEqual([]);
});

test('looks five seconds after the control planes may have missed something', async () => {
  reconciler.start();
  await loseLease();

  reconciler.runSoon();

  expect(await roundsAfter(5_000)).toBe(1);
  await roundsAfter(10_000);
  expect(await plane.fleet.leases()).toEqual([]);
});

test('looks again if the control planes miss something during a round', async () => {
  reconciler.start();
  plane.clock.advance(60_000);
  reconciler.runSoon();
  await until(() => rounds === 1);

  expect(await roundsAfter(5_000)).toBe(2);
});

test('stops when it is closed during a round', async () => {
  reconciler.start();
  plane.clock.advance(60_000);

  await reconciler.close();
  reconciler.runSoon();

  expect(plane.clock.waiting).toBe(0);
});
