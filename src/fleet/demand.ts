/*
 * How many workers there should be, pool by pool: each has workers and users of its own, and slots of one are nothing to those who wait for
 * another. What is said of all of them is the sum.
 */
import { DEFAULT_POOL, type Fleet, type SlotCounts } from './fleet.ts';
import { noSlots } from './slot-counts.ts';

/** Somebody who waits as long as this shows that free slots alone do not tell: they are of other avatars. */
const LONG_WAIT_MS = 1_000;

/** What a worker is taken to bring while none is connected that shows it. */
const USUAL_SLOTS = 4;

export type Demand = {
  wantedWorkers: number;
  freeSlots: number;
  warmSlots: number;
  queueDepth: number;
  queueOldestSeconds: number;
};

/** Of the workers that show avatars, and of those that are agents. */
export type PoolDemand = { pool: string; avatar: Demand; agent: Demand };

/** For whoever starts and stops workers: of one pool, or of each one that has a worker or somebody who waits. */
export async function demandByPool(
  fleet: Pick<Fleet, 'countsByPool'>,
  warmSlots: number,
  pool?: string,
): Promise<PoolDemand[]> {
  const [avatars, agents] = await Promise.all([
    fleet.countsByPool('avatar'),
    fleet.countsByPool('agent'),
  ]);
  const known = [...new Set([...avatars.keys(), ...agents.keys()])].toSorted();
  const pools = pool === undefined ? known : [pool];
  return (pools.length > 0 ? pools : [DEFAULT_POOL]).map((name) => ({
    pool: name,
    avatar: demandOf(avatars.get(name) ?? noSlots(), warmSlots),
    agent: demandOf(agents.get(name) ?? noSlots(), warmSlots),
  }));
}

/** Of several pools together; `warmSlots` stays that of each. */
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
 * How many workers there should be: those that stay, and as many more, or fewer, as it takes for everybody who waits to get a slot and
 * `warmSlots` to be free besides. Slots of workers that drain, run late or rest are not free, so they are made up for by others. A worker is
 * one too many only when its whole number of slots is free beyond that.
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
