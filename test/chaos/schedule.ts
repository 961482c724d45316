/* A random schedule of faults. It depends only on its seed. */

export const PLANES = 3;
export const WORKERS = 4;

type Fault =
  | { type: 'kill_plane' | 'pause_plane'; index: number; forMs: number }
  | {
      type: 'kill_worker' | 'pause_network' | 'slow_answers' | 'no_answers';
      index: number;
      forMs: number;
    }
  | { type: 'cut_worker' | 'drain_worker'; index: number }
  | { type: 'restart_redis' | 'restart_postgres'; forMs: number };
type Call = { type: 'open' | 'end' | 'list' | 'agent_leaves' };

export type Step = { afterMs: number } & (Fault | Call);

export type Chance = () => number;

/** Pseudo-random numbers in 0..1 (mulberry32). */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const upTo = (chance: Chance, most: number): number => Math.floor(chance() * most);
export const between = (chance: Chance, least: number, most: number): number =>
  Math.round(least + chance() * (most - least));

const faults: ((chance: Chance) => Fault)[] = [
  (chance) => ({
    type: 'kill_plane',
    index: upTo(chance, PLANES),
    forMs: between(chance, 100, 8_000),
  }),
  (chance) => ({
    type: 'pause_plane',
    index: upTo(chance, PLANES),
    forMs: between(chance, 500, 14_000),
  }),
  (chance) => ({ type: 'cut_worker', index: upTo(chance, WORKERS) }),
  (chance) => ({
    type: 'kill_worker',
    index: upTo(chance, WORKERS),
    forMs: between(chance, 0, 4_000),
  }),
  (chance) => ({
    type: 'pause_network',
    index: upTo(chance, WORKERS),
    forMs: between(chance, 500, 15_000),
  }),
  (chance) => ({
    type: 'slow_answers',
    index: upTo(chance, WORKERS),
    forMs: between(chance, 1_000, 5_000),
  }),
  (chance) => ({
    type: 'no_answers',
    index: upTo(chance, WORKERS),
    forMs: between(chance, 1_000, 5_000),
  }),
  (chance) => ({ type: 'drain_worker', index: upTo(chance, WORKERS) }),
  (chance) => ({ type: 'restart_redis', forMs: between(chance, 0, 6_000) }),
  (chance) => ({ type: 'restart_postgres', forMs: between(chance, 0, 4_000) }),
];

const calls: Call['type'][] = ['open', 'open', 'open', 'end', 'agent_leaves', 'list'];

/** Two calls for each fault, and three initial sessions. */
export function scheduleOf(seed: number, steps: number): Step[] {
  const chance = chanceOf(seed);
  const schedule: Step[] = Array.from({ length: 3 }, () => ({ afterMs: 0, type: 'open' }));
  while (schedule.length < steps + 3) {
    const afterMs = between(chance, 0, 1_200);
    const isFault = chance() < 0.34;
    const action = isFault
      ? faults[upTo(chance, faults.length)]!(chance)
      : { type: calls[upTo(chance, calls.length)]! };
    schedule.push({ afterMs, ...action });
  }
  return schedule;
}

/** Delta debugging: omits halves, quarters and so on of the schedule, as long as it still fails. */
export async function shrink(
  schedule: Step[],
  fails: (schedule: Step[]) => Promise<boolean>,
): Promise<Step[]> {
  let shortest = schedule;
  for (
    let size = Math.ceil(schedule.length / 2);
    size >= 1;
    size = size > 1 ? Math.ceil(size / 2) : 0
  ) {
    for (let from = 0; from < shortest.length;) {
      const without = shortest.toSpliced(from, size);
      if (without.length > 0 && (await fails(without))) shortest = without;
      else from += size;
    }
  }
  return shortest;
}
