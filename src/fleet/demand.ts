/*
 * The number of workers that each pool needs. Pools share no workers; the total is the sum over all
 * pools.
 */
import { DEFAULT_POOL, type Fleet, type SlotCounts } from './fleet.ts';
import { noSlots } from './slot-counts.ts';

/**
 * A request that waits this long needs a worker that the free slots do not offer: they show other
 * avatars.
 */
const LONG_WAIT_MS = 1_000;

/** Slots per worker, assumed while none is connected. */
const USUAL_SLOTS = 4;

export type Demand = {
  wantedWorkers: number;
  freeSlots: number;
  warmSlots: number;
  queueDepth: number;
  queueOldestSeconds: number;
};

export type PoolDemand = { pool: string; avatar: Demand; agent: Demand };

/** Demand of `pool`, or of every pool with workers or waiting requests. */
export async function demandByPool(
  fleet: Pick<Fleet, 'countsByPool'>,
  warmSlots: number,
  pool?: string,
): Promise<PoolDemand[]> {
  const [avatars, agents] = await Promise.all([
    fleet.countsByPool('avatar'),
    fleet.countsByPool('agent'),
  ]);
  const knownPools = [...new Set([...avatars.keys(), ...agents.keys()])].toSorted();
  const pools = pool === undefined ? knownPools : [pool];
  return (pools.length > 0 ? pools : [DEFAULT_POOL]).map((name) => ({
    pool: name,
    avatar: demandOf(avatars.get(name) ?? noSlots(), warmSlots),
    agent: demandOf(agents.get(name) ?? noSlots(), warmSlots),
  }));
}

/** Demand of several pools together. `warmSlots` stays the value of one pool. */
export const inAll = (demands: Demand[]): Demand => ({
  wantedWorkers: sum(demands.map((each) => each.wantedWorkers)),
  freeSlots: sum(demands.map((each) => each.freeSlots)),
  warmSlots: Math.max(0, ...demands.map((each) => each.warmSlots)),
  queueDepth: sum(demands.map((each) => each.queueDepth)),
  queueOldestSeconds: Math.max(0, ...demands.map((each) => each.queueOldestSeconds)),
});

export const demandOf = (counts: SlotCounts, warmSlots: number): Demand => ({
  wantedWorkers: wantedWorkers(counts, warmSlots),
  freeSlots: counts.free,
  warmSlots,
  queueDepth: counts.waiting,
  queueOldestSeconds: counts.oldestWaitMs / 1_000,
});

/**
 * Enough workers to serve every waiting request and keep `warmSlots` free. Draining workers do not
 * count, and slots of overloaded or cooling ones are not free. A worker is surplus only if all its
 * slots are free beyond that.
 */
export function wantedWorkers(
  { workers, draining, slots, free, waiting, oldestWaitMs }: SlotCounts,
  warmSlots: number,
): number {
  const staying = workers - draining;
  const slotsPerWorker = workers > 0 ? slots / workers : USUAL_SLOTS;
  const byCount = staying + Math.ceil((waiting + warmSlots - free) / slotsPerWorker);
  const byAge = oldestWaitMs >= LONG_WAIT_MS ? staying + 1 : 0;
  return Math.max(0, byCount, byAge);
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
