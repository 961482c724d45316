import type { Wanted, WorkerFacts, WorkerLoad } from './fleet.ts';

/** A worker at the moment of the choice. */
export type WorkerSnapshot = {
  facts: WorkerFacts;
  load: WorkerLoad;
  /** Slots that are leased. */
  taken: number;
  /** It declined a session a moment ago. */
  isResting: boolean;
};

/** Above this share of late frames a worker is loaded by something that its slots do not show. */
const TOO_LATE = 0.02;

/** Which worker takes a session: the least full one of those that keep time. Null when none can. */
export function choose(workers: WorkerSnapshot[], wanted: Wanted): string | null {
  const [best] = workers.filter((worker) => canTake(worker, wanted)).sort(byFitness);
  return best?.facts.workerId ?? null;
}

const canTake = (worker: WorkerSnapshot, wanted: Wanted): boolean =>
  isOffering(worker) &&
  freeSlots(worker) > 0 &&
  worker.facts.transports.includes(wanted.transport) &&
  worker.facts.avatars.includes(wanted.avatarId);

/** Its free slots may be given to sessions. */
export const isOffering = ({ facts, load, isResting }: WorkerSnapshot): boolean =>
  facts.kind === 'avatar' && !load.draining && !isResting;

export const freeSlots = (worker: WorkerSnapshot): number =>
  Math.max(0, worker.facts.slots - worker.taken);

function byFitness(a: WorkerSnapshot, b: WorkerSnapshot): number {
  return (
    Number(a.load.lateFrames > TOO_LATE) - Number(b.load.lateFrames > TOO_LATE) ||
    a.taken / a.facts.slots - b.taken / b.facts.slots ||
    freeSlots(b) - freeSlots(a) ||
    a.facts.workerId.localeCompare(b.facts.workerId)
  );
}
