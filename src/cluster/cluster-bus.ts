/* The control planes that share one fleet, as each of them sees the others. */
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Placement } from '#protocol/worker-messages.ts';
import type { Verdict, WorkerReport } from '#protocol/worker-report.ts';
import type { Assignment, Job, Lease } from '../fleet/fleet.ts';

/** A session that lives at a control plane; `lease`: null while it waits for a worker. */
export type OwnedSession = {
  id: string;
  epoch: number;
  builtInRoom: string | null;
  lease: Lease | null;
};

/** What one control plane asks of another, and what is answered. */
export type ClusterRequests = {
  /** Of the one that holds the worker's socket. `absent`: it does not, any more. */
  assign: { asked: { lease: Lease; job: Job }; answered: Assignment | 'absent' };
  drain: { asked: { workerId: string }; answered: boolean };
  /** To the owner of the session, from the control plane that holds the worker's socket. */
  report: { asked: { placement: Placement; report: WorkerReport }; answered: Verdict };
  /** For a caller. */
  end: { asked: { sessionId: string }; answered: null };
  /** Where the sessions are that live there. */
  places: { asked: null; answered: OwnedSession[] };
};
export type RequestType = keyof ClusterRequests;

/** What one control plane tells another, or all of them, and nobody answers. */
export type ClusterNotices = {
  /** To the one that holds the worker's socket. */
  end: { lease: Lease; reason: EndReason };
  release: { lease: Lease; withinMs: number };
  drop: { workerId: string; placement: Placement };
  /** To the owner of the session: a report whose sender needs no verdict. */
  report: { placement: Placement; report: WorkerReport };
  /** To the owner of the session: the linked session of its call has ended. */
  linked_ended: { sessionId: string; reason: EndReason; at: number };
  /** To all: a worker is connected and performs just these, is about to exit, or is gone. */
  worker_came: { workerId: string; performing: Placement[] };
  worker_leaves: { workerId: string };
  worker_lost: { workerId: string; isSilent: boolean };
  /** To all: another control plane is gone, and so are the workers at its sockets that do not come back. */
  node_gone: { node: string };
  /** To all: what became of a session that lives here. */
  session_changed: { name: 'session.started' | 'session.ended'; sessionId: string };
  /** To all: whoever came with this worker token is to go. */
  token_revoked: { tokenId: string };
};
export type NoticeType = keyof ClusterNotices;

/** It is not there, or did not answer in time: whether it did what it was asked is not known. */
export class NodeGone extends Error {
  override readonly name = 'NodeGone';
}

export interface ClusterBus {
  /** This one. */
  readonly self: string;
  /** All that are there, this one too. */
  living(): Promise<string[]>;
  /** Rejects with NodeGone, or with the error that the other one had. */
  request<Type extends RequestType>(
    node: string,
    type: Type,
    asked: ClusterRequests[Type]['asked'],
  ): Promise<ClusterRequests[Type]['answered']>;
  onRequest<Type extends RequestType>(
    type: Type,
    answer: (
      asked: ClusterRequests[Type]['asked'],
    ) => ClusterRequests[Type]['answered'] | Promise<ClusterRequests[Type]['answered']>,
  ): void;
  /** `node` null: all others. */
  publish<Type extends NoticeType>(
    node: string | null,
    type: Type,
    told: ClusterNotices[Type],
  ): Promise<void>;
  onNotice<Type extends NoticeType>(
    type: Type,
    listener: (told: ClusterNotices[Type]) => void,
  ): void;
  /** Another one has not been heard of for a while: exactly one of those that are left is told so. */
  onGone(listener: (node: string) => Promise<void>): void;
  /** This one was taken for gone, or Redis came back empty: what is here must be said anew. */
  onForgotten(listener: () => void): void;
  close(): Promise<void>;
}
