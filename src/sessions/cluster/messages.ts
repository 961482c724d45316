import type { EndReason } from '#protocol/end-reasons.ts';
import type { Noted, Placement } from '#protocol/worker-messages.ts';
import type { Lease } from '../../fleet/fleet.ts';

/** A live session of one node. `lease`: null while it waits for a worker. */
export type OwnedSession = {
  id: string;
  epoch: number;
  builtInRoom: string | null;
  lease: Lease | null;
};

/** Sent to the node that owns the session. */
export type SessionRequests = {
  /**
   * A worker that connected elsewhere says that it performs the session. False: it must drop it.
   */
  claim: { request: { placement: Placement; workerId: string }; response: boolean };
  started: { request: { placement: Placement; agoMs: number }; response: 'recorded' | 'stale' };
  ended: {
    request: { placement: Placement; agoMs: number; reason: EndReason };
    response: 'recorded' | 'stale';
  };
  /** Ends the session on behalf of a client. */
  end: { request: { sessionId: string }; response: null };
  /** Lists the sessions of the node. */
  places: { request: null; response: OwnedSession[] };
};

export type SessionNotices = {
  // To the node that owns the session: what its worker reports.
  spoke: { placement: Placement; open: number[] };
  noted: { placement: Placement; happenings: Noted['happenings'] };
  renewed: { placement: Placement; token: string };
  released: { placement: Placement };
  gave_up: { placement: Placement; workerId: string };
  /** To the owner: the linked session of the call has ended, so this one ends too. */
  half_over: { sessionId: string; reason: EndReason; at: number };

  // To all nodes.
  /** A worker is connected and performs exactly these placements. */
  worker_came: { workerId: string; performing: Placement[] };
  worker_leaves: { workerId: string };
  worker_lost: { workerId: string; isSilent: boolean };
  /** Another node is gone. Its workers reconnect elsewhere or are lost. */
  node_gone: { node: string };
  session_changed: { name: 'session.started' | 'session.ended'; sessionId: string };
};
