/*
 * Faults for the real parts, drawn from a seed. A round has one or two faults, and the system must
 * recover before the next one.
 */
import { between, chanceOf, upTo, type Chance } from '../schedule.ts';

/** Control planes and workers that run at the same time. */
export const PLANES = 2;
export const WORKERS = 2;
/** Sessions that last for the whole run. */
export const SESSIONS = 2;

/** Affects the worker that performs the session with this index. */
type WorkerFault =
  | { type: 'kill_worker' | 'drain_worker'; session: number }
  /** SIGCONT follows after `forMs`, or when the session has moved. */
  | { type: 'pause_worker'; session: number; forMs: number | 'until it moved' };

/** Stops no picture by itself. */
type OtherFault =
  | { type: 'kill_plane'; plane: number }
  | { type: 'stop_redis'; forMs: number }
  /** Breaks every connection between this session's worker and its control plane. */
  | { type: 'cut_worker'; session: number }
  /** Delays the answers of the worker with the most free slots while a session is opened. */
  | { type: 'slow_answers'; delayMs: number };

export type Fault = WorkerFault | OtherFault;

export type Round = {
  faults: Fault[];
  /** Whether agents are speaking during the faults. */
  isSpeaking: boolean;
};

const workerFaults: ((chance: Chance) => WorkerFault)[] = [
  (chance) => ({ type: 'kill_worker', session: upTo(chance, SESSIONS) }),
  (chance) => ({ type: 'pause_worker', session: upTo(chance, SESSIONS), forMs: 'until it moved' }),
  (chance) => ({ type: 'drain_worker', session: upTo(chance, SESSIONS) }),
];
const otherFaults: ((chance: Chance) => OtherFault)[] = [
  (chance) => ({ type: 'kill_plane', plane: upTo(chance, PLANES) }),
  // The gateway waits 2 s for an answer.
  (chance) => ({ type: 'slow_answers', delayMs: between(chance, 2_200, 3_200) }),
  (chance) => ({ type: 'stop_redis', forMs: between(chance, 500, 2_500) }),
  (chance) => ({ type: 'cut_worker', session: upTo(chance, SESSIONS) }),
];
/** Pauses a worker for less than the detection time. */
const shortPause = (chance: Chance): WorkerFault => ({
  type: 'pause_worker',
  session: upTo(chance, SESSIONS),
  forMs: between(chance, 200, 1_000),
});

/** Number of rounds that contain every kind of fault once. */
export const EVERY_KIND = workerFaults.length + otherFaults.length;

/** Every kind once, in random order; then one or two at a time. */
export function roundsOf(seed: number, count: number): Round[] {
  const chance = chanceOf(seed);
  const kinds = shuffled([...workerFaults, ...otherFaults], chance);
  return Array.from({ length: count }, (_, i) => ({
    faults: kinds[i] ? [kinds[i](chance)] : severalFaults(chance),
    isSpeaking: chance() < 0.5,
  }));
}

function severalFaults(chance: Chance): Fault[] {
  const workerFault = drawn([...workerFaults, shortPause], chance);
  const otherFault = drawn(otherFaults, chance);
  const draw = chance();
  if (draw < 0.3) return [workerFault];
  // With one worker lost and the other too slow, no worker could take over a session.
  if (draw < 0.6 || otherFault.type === 'slow_answers') return [otherFault];
  return [workerFault, otherFault];
}

const drawn = <Item>(from: ((chance: Chance) => Item)[], chance: Chance): Item =>
  from[upTo(chance, from.length)]!(chance);

function shuffled<Item>(items: Item[], chance: Chance): Item[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = upTo(chance, i + 1);
    [items[i], items[j]] = [items[j]!, items[i]!];
  }
  return items;
}
