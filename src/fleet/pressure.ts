import type { FleetCounts } from './fleet.ts';

/** Somebody who waits as long as this shows that free slots alone do not tell: they are of other avatars, or of another pool. */
const LONG_WAIT_MS = 1_000;

/** What a worker is taken to bring while none is connected that shows it. */
const USUAL_SLOTS = 4;

export type Pressure = {
  wantedWorkers: number;
  freeSlots: number;
  warmSlots: number;
  queueDepth: number;
  queueOldestSeconds: number;
};

/** For whoever starts and stops workers. */
export const pressureOf = (counts: FleetCounts, warmSlots: number): Pressure => ({
  wantedWorkers: wantedWorkers(counts, warmSlots),
  freeSlots: counts.free,
  warmSlots,
  queueDepth: counts.waiting,
  queueOldestSeconds: counts.oldestWaitMs / 1_000,
});

/**
 * How many workers there should be: those that stay, and as many more, or fewer, as it takes for everybody who waits to get a slot and
 * `warmSlots` to be free besides. Slots of workers that drain, run late or rest are not free, so they are made up for by others. A worker is
 * one too many only when its whole number of slots is free beyond that.
 */
export function wantedWorkers(
  { workers, draining, slots, free, waiting, oldestWaitMs }: FleetCounts,
  warmSlots: number,
): number {
  const staying = workers - draining;
  const slotsPerWorker = workers > 0 ? slots / workers : USUAL_SLOTS;
  const byCount = staying + Math.ceil((waiting + warmSlots - free) / slotsPerWorker);
  const byAge = oldestWaitMs >= LONG_WAIT_MS ? staying + 1 : 0;
  return Math.max(0, byCount, byAge);
}
