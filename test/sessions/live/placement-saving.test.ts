import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ACCOUNT,
  startControlPlane,
  type ControlPlane,
} from '../../support/fleet/control-plane.ts';
import { lose, ongoing } from '../../support/fleet/loss.ts';
import { settle } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';

let plane: ControlPlane;
beforeEach(async () => {
  plane = await startControlPlane();
});
afterEach(() => plane.close());

const find = (id: string) => plane.records.find(ACCOUNT.id, id);

describe('a placement that another control plane made first', () => {
  test('is never assigned; the session continues from that of the records', async () => {
    const workerA = await plane.worker().join();
    const { id } = await ongoing(plane, workerA);
    const workerB = await plane.worker().join();
    await plane.records.updatePlacement(id, { epoch: 2, workerId: 'worker-elsewhere' });

    await lose(plane, workerA, 1);
    await plane.stayFor(10_000, [workerB]);

    const { placement } = await workerB.next('assign');
    expect(placement).toEqual({ sessionId: id, epoch: 3 });
    expect(await find(id)).toMatchObject({ epoch: 3, workerId: workerB.workerId });
  });
});

describe('a placement that cannot be saved', () => {
  test('is not assigned and is retried until it is saved', async () => {
    const workerA = await plane.worker().join();
    const { id } = await ongoing(plane, workerA);
    const save = plane.records.updatePlacement.bind(plane.records);
    let failures = 0;
    plane.records.updatePlacement = async () => {
      failures += 1;
      throw new Error('the database is away');
    };
    await lose(plane, workerA);
    const workerB = await plane.worker().join();
    await until(() => failures === 1);
    await workerB.atRest();
    expect(workerB.performing.size).toBe(0);

    plane.records.updatePlacement = save;
    await settle();
    plane.clock.advance(1_000);

    const { placement } = await workerB.next('assign');
    expect(placement.epoch).toBeGreaterThan(1);
    expect(await find(id)).toMatchObject({ epoch: placement.epoch, workerId: workerB.workerId });
  });

  test('leaves no timer when the control plane stops', async () => {
    const workerA = await plane.worker().join();
    await ongoing(plane, workerA);
    plane.records.updatePlacement = async () => {
      throw new Error('the database is away');
    };
    await lose(plane, workerA);
    await plane.worker().join();

    await plane.stop();

    expect(plane.clock.waiting).toBe(0);
  });
});
