import type { SlotCounts } from './fleet.ts';

export const noSlots = (): SlotCounts => ({
  workers: 0,
  draining: 0,
  slots: 0,
  free: 0,
  waiting: 0,
  oldestWaitMs: 0,
});

/** Sums the counts; `oldestWaitMs` is their maximum. */
export function sumOf(pools: Iterable<SlotCounts>): SlotCounts {
  const sum = noSlots();
  for (const { workers, draining, slots, free, waiting, oldestWaitMs } of pools) {
    sum.workers += workers;
    sum.draining += draining;
    sum.slots += slots;
    sum.free += free;
    sum.waiting += waiting;
    sum.oldestWaitMs = Math.max(sum.oldestWaitMs, oldestWaitMs);
  }
  return sum;
}

/** Returns the counts of a pool, adding empty ones if needed. */
export function countsOf(byPool: Map<string, SlotCounts>, pool: string): SlotCounts {
  const counts = byPool.get(pool) ?? noSlots();
  byPool.set(pool, counts);
  return counts;
}

/**
 * Counts the places of the waiting line. Some of their callers are asking at this moment and wait
 * in the queue, too, so the two are not added.
 */
export function addPlaces(
  byPool: Map<string, SlotCounts>,
  places: ReadonlyMap<string, number>,
): void {
  for (const [pool, waiting] of places) {
    const counts = countsOf(byPool, pool);
    counts.waiting = Math.max(counts.waiting, waiting);
  }
}
