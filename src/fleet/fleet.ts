import type { EndReason } from '#protocol/end-reasons.ts';
import type { TypedEvents } from '#shared/typed-events.ts';
import type { Assign } from '#protocol/gateway-messages.ts';
import {
  WORKER_KINDS,
  type Load,
  type Placement,
  type Register,
  type Transport,
  type WorkerKind,
} from '#protocol/worker-messages.ts';

export { WORKER_KINDS };
export type { Placement, WorkerKind };

/** What a session needs of a worker. */
export type Requirements = {
  /** `agent`: to hold a conversation; what is wanted of a face says nothing then. */
  kind: WorkerKind;
  transport: Transport;
  avatarId: string;
  /** Its bundle, which any worker that opens bundles can show; null: only workers that have the face. */
  bundleHash: string | null;
  /** The label of the workers that may show it. */
  pool: string;
};

/**
 * One slot of one worker, held for one session. A session has one lease at most, and each lease a higher epoch than the one before: whatever
 * a worker says under an older epoch is refused, so that a worker believed lost cannot speak for a session that went on elsewhere.
 */
export type Lease = Placement & { workerId: string };

export type WorkerFacts = Required<Omit<Register, 'type' | 'protocol' | 'performing' | 'building'>>;
export type WorkerLoad = Omit<Load, 'type'>;

/** What the worker needs to perform the session, beside its lease. */
export type Job = Omit<Assign, 'type' | 'placement'>;

/**
 * accepted  the worker performs it
 * declined  it refused, did not answer in time or was not there any more: the slot is free again, and the worker is left alone for a moment
 * gone      its connection broke before the answer: whether it performs the session shows when it comes back
 */
export type Assignment = 'accepted' | 'declined' | 'gone';

/** A connected worker, as the gateway hands it over. */
export interface ConnectedWorker {
  readonly facts: WorkerFacts;
  assign(placement: Placement, job: Job): Promise<'accepted' | 'refused' | 'silent' | 'gone'>;
  end(placement: Placement, reason: EndReason): void;
  release(placement: Placement, withinMs: number): void;
  drop(placement: Placement): void;
  drain(): void;
}

/**
 * Why nobody gets a slot: those that could show the avatar have none to give, or all of them are draining, or no connected worker could ever
 * show it, or hold its conversation.
 */
export const REFUSALS = ['full', 'draining', 'no_worker_for_avatar', 'no_agent_worker'] as const;
export type Refusal = (typeof REFUSALS)[number];

/** `late`: its frames do not keep time. `resting`: it declined a session a moment ago. Only `ready` ones are offered sessions. */
export const WORKER_STATES = ['ready', 'late', 'resting', 'draining'] as const;
export type WorkerState = (typeof WORKER_STATES)[number];

/** A connected worker, for operators. */
export type WorkerStatus = {
  facts: WorkerFacts;
  load: WorkerLoad;
  state: WorkerState;
  /** What it said last that it performs, in full; null when it never has. */
  performing: readonly Placement[] | null;
  /** Slots that are leased. */
  taken: number;
  /** When it connected, in milliseconds since the epoch. */
  since: number;
};

export type FleetEventMap = {
  /** `waitedMs` from the request to its slot; `isUrgent`: of a session that had lost its worker. */
  'slot.reserved': { kind: WorkerKind; waitedMs: number; isUrgent: boolean };
  /** `tookMs` from the assignment to the worker's answer. */
  'session.assigned': { answer: Assignment; tookMs: number };
  /** By a worker that is connected here: of each of its sessions that spoke, how much later than its sound its pictures left. */
  'offsets.reported': { avOffsetsMs: readonly number[] };
};
export type FleetEvents = TypedEvents<FleetEventMap>;

export type ReserveOptions = {
  /** How long to wait when no slot is free; 0 or less: not at all. */
  waitMs: number;
  /** For whom: accounts that wait get slots in turn. */
  account: string;
  /** Before those who wait for a first slot: a user is in the room already. */
  isUrgent?: boolean;
  signal?: AbortSignal;
};

/** Of workers of one kind, and of those who wait for one. */
export type SlotCounts = {
  workers: number;
  draining: number;
  slots: number;
  /** Slots that a new session could get now. */
  free: number;
  waiting: number;
  /** How long the one that waits longest has waited. */
  oldestWaitMs: number;
};

export type FleetCounts = SlotCounts & {
  /** Of all kinds. */
  leases: number;
};

/** The pool of workers and accounts that name none. */
export const DEFAULT_POOL = 'default';

/** All workers and their slots. */
export interface Fleet {
  /** From now on the worker's free slots are offered. A connection of the same worker that was there before is forgotten. */
  join(worker: ConnectedWorker): Promise<void>;
  /** Its slots are offered no more; its leases stay until they are freed. Does nothing when it joined again by another connection. */
  leave(worker: ConnectedWorker): Promise<void>;
  report(workerId: string, load: WorkerLoad): void;
  /**
   * A slot for `placement`, or null when none came free in time or the signal aborted. Where no connected worker could ever be the right one,
   * nobody waits but the urgent, and those who come while workers may be on their way back.
   */
  reserve(
    placement: Placement,
    requirements: Requirements,
    options: ReserveOptions,
  ): Promise<Lease | null>;
  /** Why there is no slot for it now. */
  refusal(requirements: Requirements): Promise<Refusal>;
  /** Takes the slot of a session that a worker performs already. */
  hold(lease: Lease): Promise<void>;
  /** Gives the slot back; a lease that is not the session's newest is left alone. */
  free(lease: Lease): Promise<void>;
  assign(lease: Lease, job: Job): Promise<Assignment>;
  /** Offers the worker nothing for a moment: it knows something about itself that we do not. */
  rest(workerId: string): void;
  /** Tells the lease's worker, when it is connected, to leave the room. */
  end(lease: Lease, reason: EndReason): Promise<void>;
  /** Asks the lease's worker, when it is connected, to fall silent for another one. */
  release(lease: Lease, withinMs: number): Promise<void>;
  /** Tells the worker to leave at once what is not its own any more. */
  drop(workerId: string, placement: Placement): Promise<void>;
  /** Tells a worker to take nothing new, finish and leave. False when it is not connected. */
  drain(workerId: string): Promise<boolean>;
  /** Of workers that show avatars, unless it is said. */
  counts(kind?: WorkerKind): Promise<FleetCounts>;
  /** Of the pools that have a worker of this kind, or somebody who waits for one. */
  countsByPool(kind: WorkerKind): Promise<Map<string, SlotCounts>>;
  /** At any control plane. */
  isConnected(workerId: string): Promise<boolean>;
  workers(): Promise<WorkerStatus[]>;
  leases(): Promise<Lease[]>;
  /** Whoever waits for a slot gets none. */
  close(): Promise<void>;
}
