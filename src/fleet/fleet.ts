import type { TypedEvents } from '#shared/typed-events.ts';
import type { Assign, Order } from '#protocol/worker/gateway-messages.ts';
import { DEFAULT_POOL } from '#protocol/pool.ts';
import type { Question, ResultOf } from '#protocol/worker/questions.ts';
import type { Placement } from '#protocol/placement.ts';
import {
  WORKER_KINDS,
  type Load,
  type Register,
  type WorkerKind,
} from '#protocol/worker/worker-messages.ts';
import type { Requirements } from './requirements.ts';
import type { WaitingLine } from './waiting-line.ts';

export { DEFAULT_POOL, WORKER_KINDS };
export type { Placement, Requirements, WorkerKind };

/**
 * One slot of one worker, held for one session. A session has at most one lease, and each lease has
 * a higher epoch than the last. Reports of an older epoch are refused: a worker that was taken for
 * lost cannot report on a session that continues elsewhere.
 */
export type Lease = Placement & { workerId: string };

export type WorkerFacts = Required<
  Omit<
    Register,
    'type' | 'protocol' | 'newestProtocol' | 'secret' | 'performing' | 'building' | 'host'
  >
> &
  Pick<Register, 'host'>;
export type WorkerLoad = Omit<Load, 'type'>;

/** `bundleHash`: null for a built-in avatar. */
export type AvatarFile = { avatarId: string; bundleHash: string | null };

/** The instructions of an assignment, besides the lease. */
export type Job = Omit<Assign, 'type' | 'placement'>;

/**
 * accepted  the worker performs the session
 * declined  it refused, did not answer in time or is gone; frees the slot and starts a cooldown
 * gone      its connection broke before it answered; the outcome is unknown until it reconnects
 */
export type Assignment = 'accepted' | 'declined' | 'gone';

/** The gateway's side of a worker. */
export interface ConnectedWorker {
  readonly facts: WorkerFacts;
  assign(placement: Placement, job: Job): Promise<'accepted' | 'refused' | 'silent' | 'gone'>;
  send(order: Order | { type: 'drain' }): void;
  /** Null: the worker has no answer, not the ability, or not the time. */
  ask<OneQuestion extends Question>(question: OneQuestion): Promise<ResultOf<OneQuestion>>;
}

/**
 * Why a session gets no slot: all suitable workers are full or draining, or no connected worker can
 * show the avatar or hold the conversation. `overflow_*`: nor does the outside service of the pool
 * take more sessions, or may it cost more.
 */
export const REFUSALS = [
  'full',
  'draining',
  'no_worker_for_avatar',
  'no_agent_worker',
  'overflow_full',
  'overflow_ceiling',
] as const;
export type Refusal = (typeof REFUSALS)[number];

/**
 * `late`: overloaded. `resting`: cooling down after it declined a session. `cordoned`: an operator
 * withholds its slots. Only `ready` workers are offered sessions.
 */
export const WORKER_STATES = ['ready', 'late', 'resting', 'cordoned', 'draining'] as const;
export type WorkerState = (typeof WORKER_STATES)[number];

export type WorkerStatus = {
  facts: WorkerFacts;
  load: WorkerLoad;
  state: WorkerState;
  /** Also while `state` names something graver. */
  isCordoned: boolean;
  /**
   * All placements, as it last named them; null if they have changed since, or were never named.
   */
  performing: readonly Placement[] | null;
  /** Leased slots. */
  taken: number;
  /** When it connected, in milliseconds since the epoch. */
  since: number;
};

export type FleetEventMap = {
  /** `waitedMs`: from the request to its slot. `isUrgent`: the session had lost its worker. */
  'slot.reserved': { kind: WorkerKind; waitedMs: number; isUrgent: boolean };
  /** `tookMs`: from the assignment to the worker's answer. */
  'session.assigned': { answer: Assignment; tookMs: number };
  /**
   * From a worker connected here: per speaking session, how long the video left after its audio.
   */
  'offsets.reported': { avOffsetsMs: readonly number[] };
};
export type FleetEvents = TypedEvents<FleetEventMap>;

export type ReserveOptions = {
  /** Longest wait for a free slot; 0 or less: do not wait. */
  waitMs: number;
  /** Waiting accounts take turns. */
  account: string;
  /** Goes first: the session is live and a user may be in the room. */
  isUrgent?: boolean;
  signal?: AbortSignal;
};

/** Totals of the workers of one kind, and of the requests that wait for one. */
export type SlotCounts = {
  workers: number;
  draining: number;
  slots: number;
  /** Slots that a new session can get now. */
  free: number;
  waiting: number;
  oldestWaitMs: number;
};

export type FleetCounts = SlotCounts & {
  /** Leases of all worker kinds. */
  leases: number;
};

/** All workers, across all control planes, as sessions use them. */
export interface SessionFleet {
  /** Calls that were refused, between their requests. */
  readonly line: WaitingLine;
  /**
   * Reserves a slot. Null if none came free in time or the signal aborted. If no connected worker
   * fits, only urgent requests wait, and others only while workers may still reconnect.
   */
  reserve(
    placement: Placement,
    requirements: Requirements,
    options: ReserveOptions,
  ): Promise<Lease | null>;
  /** Why no slot is free. */
  refusal(requirements: Requirements): Promise<Refusal>;
  /** Takes the slot of a session that a worker already performs. */
  hold(lease: Lease): Promise<void>;
  /** Frees the slot, unless the session has a newer lease. */
  free(lease: Lease): Promise<void>;
  leases(): Promise<Lease[]>;
  assign(lease: Lease, job: Job): Promise<Assignment>;
  /** Does nothing if the worker is not connected. */
  send(workerId: string, order: Order): Promise<void>;
  workers(): Promise<WorkerStatus[]>;
  /** `kind`: avatar by default. */
  counts(kind?: WorkerKind): Promise<FleetCounts>;
  /**
   * The workers that are offered no session until they are left out here. Of those connected to
   * this control plane, now and when they connect again.
   */
  cordon(workerIds: ReadonlySet<string>): void;
}

export interface Fleet extends SessionFleet {
  /** Only pools that have workers of this kind, or requests waiting for one. */
  countsByPool(kind: WorkerKind): Promise<Map<string, SlotCounts>>;
  /** Null: the worker is not connected, has no answer, not the ability, or not the time. */
  ask<OneQuestion extends Question>(
    workerId: string,
    question: OneQuestion,
  ): Promise<ResultOf<OneQuestion>>;
  /** Offers the worker's free slots. Replaces an earlier connection of the same worker. */
  join(worker: ConnectedWorker): Promise<void>;
  /**
   * Withdraws its slots. Its leases stay until freed. Does nothing if the worker has joined again
   * by another connection.
   */
  leave(worker: ConnectedWorker): Promise<void>;
  /** The facts of a connected worker have changed. */
  changed(worker: ConnectedWorker): Promise<void>;
  report(workerId: string, load: WorkerLoad): void;
  /** Starts the worker's cooldown: it is offered no session for a moment. */
  coolDown(workerId: string): void;
  /**
   * Tells the worker to finish its sessions, take no new ones and exit. False: it is not connected.
   */
  drain(workerId: string): Promise<boolean>;
  /** True if any control plane holds its socket. */
  isConnected(workerId: string): Promise<boolean>;
  /** Ends all waits without a slot. */
  close(): Promise<void>;
}
