import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ACCOUNT,
  startControlPlane,
  type ControlPlane,
} from '../../support/fleet/control-plane.ts';
import { ongoing } from '../../support/fleet/loss.ts';
import { holdSaves } from '../../support/records/hold-saves.ts';
import { until } from '../../support/until.ts';

let plane: ControlPlane;
beforeEach(async () => {
  plane = await startControlPlane();
});
afterEach(() => plane.close());

describe('an end that could not be saved', () => {
  test('takes effect later, for the save may have succeeded', async () => {
    const worker = await plane.worker().join();
    const { id } = await ongoing(plane, worker);
    const saving = holdSaves(plane.records);
    const ending = plane.ending.end(ACCOUNT.id, id);
    await saving.begun;

    saving.fail();
    await expect(ending).rejects.toThrow('the database is away');
    await plane.stayFor(5_000);

    await until(async () => (await plane.records.find(ACCOUNT.id, id))?.status === 'completed');
    await until(() => worker.performing.size === 0);
  });
});
