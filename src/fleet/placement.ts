import { QUESTION_RULES } from './question-rules.ts';
import type {
  AvatarFile,
  Refusal,
  Requirements,
  WorkerFacts,
  WorkerKind,
  WorkerState,
  WorkerStatus,
} from './fleet.ts';
import { DRAWS_FRAMES } from '#protocol/pictures/frames.ts';

/** A worker when a session is placed. */
export type WorkerSnapshot = {
  facts: WorkerFacts;
  /** Slots that are leased. */
  taken: number;
  isDraining: boolean;
  /** An operator withholds its slots. */
  isCordoned: boolean;
  isOverloaded: boolean;
  /** It recently declined a session. */
  isCoolingDown: boolean;
};

/**
 * `spread`: the least full worker, by share. `pack`: the fullest one, so that others become empty
 * and can be stopped.
 */
export type Policy = 'spread' | 'pack';

export type PlacementRules = {
  policy: Policy;
  /** Most requests that may wait for a slot. */
  maxWaiting: number;
  /** Share of late frames above which a worker is offered no session. */
  lateFramesLimit: number;
};

export const DEFAULT_RULES: PlacementRules = {
  policy: 'spread',
  maxWaiting: 1_000,
  lateFramesLimit: 0.05,
};

/** Chooses the worker for a session; null if none has a free slot. */
export function choose(
  workers: Iterable<WorkerSnapshot>,
  requirements: Requirements,
  policy: Policy,
): string | null {
  let best: WorkerSnapshot | null = null;
  for (const worker of workers) {
    const canTake = isOffering(worker) && freeSlots(worker) > 0 && canPerform(worker, requirements);
    if (canTake && (best === null || byFitness(worker, best, policy) < 0)) best = worker;
  }
  return best?.facts.workerId ?? null;
}

/** Workers of the pool that can draw a contact sheet, those with the fewest sessions first. */
export function ableToDraw(
  workers: Iterable<WorkerStatus>,
  avatar: AvatarFile,
  pool: string,
): string[] {
  const { ability } = QUESTION_RULES.draw_sheet;
  return [...workers]
    .filter(({ facts, state }) => facts.pool === pool && state !== 'late' && state !== 'draining')
    .filter(({ facts }) => facts.abilities.includes(ability) && canOpen(facts, avatar))
    .toSorted((a, b) => a.load.performing - b.load.performing)
    .map(({ facts }) => facts.workerId);
}

/** Why `choose` finds no worker. */
export function whyNone(workers: Iterable<WorkerSnapshot>, requirements: Requirements): Refusal {
  let why: Refusal = NOBODY[requirements.kind];
  for (const worker of workers) {
    if (!canPerform(worker, requirements)) continue;
    if (!worker.isDraining) return 'full';
    why = 'draining';
  }
  return why;
}

/** The refusal if no connected worker could ever perform the session. */
export const NOBODY: Record<WorkerKind, Refusal> = {
  avatar: 'no_worker_for_avatar',
  agent: 'no_agent_worker',
};

/** Ignores free slots. */
export const canPerform = ({ facts }: WorkerSnapshot, requirements: Requirements): boolean =>
  facts.kind === requirements.kind &&
  facts.pool === requirements.pool &&
  facts.transports.includes(requirements.transport) &&
  (requirements.kind === 'agent' || canShow(facts, requirements));

const canShow = (
  facts: WorkerFacts,
  { hasSpeechSource, needsFrames, ...avatar }: Requirements,
): boolean =>
  canOpen(facts, avatar) &&
  (!hasSpeechSource || facts.abilities.includes(SPEECH_SOURCES)) &&
  (!needsFrames || facts.abilities.includes(DRAWS_FRAMES));

const canOpen = (
  { avatars, abilities }: WorkerFacts,
  { avatarId, bundleHash }: AvatarFile,
): boolean => (bundleHash === null ? avatars.includes(avatarId) : abilities.includes('bundles'));

/** The pool of a request for this kind of worker, else null. */
export const poolIfOf =
  (kind: WorkerKind) =>
  ({ requirements }: { requirements: Requirements }): string | null =>
    requirements.kind === kind ? requirements.pool : null;

/** Requests with equal keys are interchangeable. */
export function kindOf(requirements: Requirements): string {
  const { kind, transport, pool, avatarId, bundleHash, hasSpeechSource, needsFrames } =
    requirements;
  if (kind === 'agent') return nameOf(transport, pool, CONVERSATION);
  const face = bundleHash === null ? avatarId : ANY_BUNDLE;
  const heardFace = hasSpeechSource ? withSpeechSource(face) : face;
  return nameOf(transport, pool, needsFrames ? inFrames(heardFace) : heardFace);
}

/** Keys of all requests that the worker can serve. */
export function kindsOf({ kind, transports, pool, avatars, abilities }: WorkerFacts): string[] {
  if (kind === 'agent') return transports.map((each) => nameOf(each, pool, CONVERSATION));
  const plainFaces = abilities.includes('bundles') ? [...avatars, ANY_BUNDLE] : avatars;
  const heardFaces = abilities.includes(SPEECH_SOURCES)
    ? [...plainFaces, ...plainFaces.map(withSpeechSource)]
    : plainFaces;
  const faces = abilities.includes(DRAWS_FRAMES)
    ? [...heardFaces, ...heardFaces.map(inFrames)]
    : heardFaces;
  return transports.flatMap((transport) => faces.map((face) => nameOf(transport, pool, face)));
}

const SPEECH_SOURCES = 'speech_sources';
const withSpeechSource = (face: string): string => `${face} with a speech source`;
const inFrames = (face: string): string => `${face} in any frame`;
const ANY_BUNDLE = 'with a bundle';
const CONVERSATION = 'a conversation';

const nameOf = (transport: string, pool: string, face: string): string =>
  `${transport} ${pool} ${face}`;

export const isOffering = (worker: WorkerSnapshot): boolean => stateOf(worker) === 'ready';

export function stateOf({
  isDraining,
  isCordoned,
  isOverloaded,
  isCoolingDown,
}: Omit<WorkerSnapshot, 'facts' | 'taken'>): WorkerState {
  if (isDraining) return 'draining';
  if (isOverloaded) return 'late';
  if (isCordoned) return 'cordoned';
  return isCoolingDown ? 'resting' : 'ready';
}

export const freeSlots = (worker: WorkerSnapshot): number =>
  Math.max(0, worker.facts.slots - worker.taken);

function byFitness(a: WorkerSnapshot, b: WorkerSnapshot, policy: Policy): number {
  const spread = a.taken / a.facts.slots - b.taken / b.facts.slots || freeSlots(b) - freeSlots(a);
  return (policy === 'spread' ? spread : -spread) || compare(a.facts.workerId, b.facts.workerId);
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
