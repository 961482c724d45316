import { describe, expect, test } from 'vitest';
import type { FleetCounts } from '../../src/fleet/fleet.ts';
import { demandOf, wantedWorkers } from '../../src/fleet/demand.ts';

const counts = (fields: Partial<FleetCounts>): FleetCounts => ({
  workers: 0,
  draining: 0,
  slots: 0,
  free: 0,
  leases: 0,
  waiting: 0,
  oldestWaitMs: 0,
  ...fields,
});

describe('wanted workers', () => {
  const two = { workers: 2, slots: 8 };
  test.each<[string, Partial<FleetCounts>, number, number]>([
    ['none, where nothing is asked for and nothing kept warm', {}, 0, 0],
    ['one for the first warm slot', {}, 1, 1],
    ['as many as the warm slots take', {}, 9, 3],
    ['one for whoever waits when none is there', { waiting: 1 }, 0, 1],
    ['those that there are, while a slot is free', { ...two, free: 1, leases: 7 }, 1, 2],
    ['one more when the warm slot is gone', { ...two, free: 0, leases: 8 }, 1, 3],
    ['none more without warm slots', { ...two, free: 0, leases: 8 }, 0, 2],
    ['enough for all who wait', { ...two, leases: 8, waiting: 9 }, 0, 5],
    ['one fewer when all of its slots are too many', { ...two, free: 5, leases: 3 }, 1, 1],
    ['not one fewer before', { ...two, free: 4, leases: 4 }, 1, 2],
    [
      'one more when somebody waits long, whatever is free',
      { ...two, free: 8, waiting: 1, oldestWaitMs: 1_000 },
      0,
      3,
    ],
    ['others for those that drain', { ...two, draining: 1, free: 0, leases: 6 }, 1, 2],
    ['others for slots that are not offered', { ...two, free: 0, leases: 2 }, 4, 3],
    ['never fewer than none', { ...two, draining: 2, free: 0 }, 0, 0],
  ])('are %s', (_what, fleet, warmSlots, expected) => {
    expect(wantedWorkers(counts(fleet), warmSlots)).toBe(expected);
  });

  test('are reported with the counts behind them', () => {
    const fleetCounts = counts({ ...two, free: 3, leases: 5, waiting: 2, oldestWaitMs: 250 });

    expect(demandOf(fleetCounts, 1)).toEqual({
      wantedWorkers: 2,
      freeSlots: 3,
      warmSlots: 1,
      queueDepth: 2,
      queueOldestSeconds: 0.25,
    });
  });
});
