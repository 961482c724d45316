import type { EndReason } from '#shared/end-reasons.ts';
import type { Assign } from '#protocol/gateway-messages.ts';
import type { Load, Placement, Register, Transport } from '#protocol/worker-messages.ts';

export type { Placement };

/** What a session needs of a worker. */
export type Wanted = { transport: Transport; avatarId: string };

/**
 * One slot of one worker, held for one session. A session has one lease at most, and each lease a higher epoch than the one before: whatever
 * a worker says under an older epoch is refused, so that a worker believed lost cannot speak for a session that went on elsewhere.
 */
export type Lease = Placement & { workerId: string };

export type WorkerFacts = Omit<Register, 'type' | 'protocol' | 'performing'>;
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
  drain(): void;
}

export type ReserveOptions = {
  /** How long to wait when no slot is free. */
  waitMs: number;
  /** Before those who wait for a first slot: a user is in the room already. */
  isUrgent?: boolean;
  signal?: AbortSignal;
};

export type FleetCounts = {
  workers: number;
  draining: number;
  slots: number;
  /** Slots that a new session could get now. */
  free: number;
  leases: number;
  waiting: number;
};

/** All workers and their slots. */
export interface Fleet {
  /** From now on the worker's free slots are offered. A connection of the same worker that was there before is forgotten. */
  join(worker: ConnectedWorker): Promise<void>;
  /** Its slots are offered no more; its leases stay until they are freed. Does nothing when it joined again by another connection. */
  leave(worker: ConnectedWorker): Promise<void>;
  report(workerId: string, load: WorkerLoad): void;
  /** A slot for `placement`, or null when none came free in time or the signal aborted. */
  reserve(placement: Placement, wanted: Wanted, options: ReserveOptions): Promise<Lease | null>;
  /** Takes the slot of a session that a worker performs already. */
  hold(lease: Lease): Promise<void>;
  /** Gives the slot back; a lease that is not the session's newest is left alone. */
  free(lease: Lease): Promise<void>;
  assign(lease: Lease, job: Job): Promise<Assignment>;
  /** Tells the lease's worker, when it is connected, to leave the room. */
  end(lease: Lease, reason: EndReason): Promise<void>;
  /** Tells a worker to take nothing new, finish and leave. False when it is not connected. */
  drain(workerId: string): Promise<boolean>;
  counts(): Promise<FleetCounts>;
  /** Whoever waits for a slot gets none. */
  close(): Promise<void>;
}
