import type { EndReason } from '#protocol/end-reasons.ts';
import type { Placement } from '#protocol/placement.ts';
import type { ReportedPlacement, Verdict, WorkerReport } from '#protocol/worker/worker-report.ts';
import type { EndedBy } from '../../records/audit/audit-log.ts';
import type { PictureChange } from '../pictures/session-pictures.ts';
import type { LivePlace } from '../reconciliation/diff.ts';

/** Segments of speech that the agent of a live session waits for. */
export type SeatSpeech = {
  /** When the session was created. */
  createdAt: number;
  /** Seconds heard of each. */
  open: number[];
};

/** Sent to the node that owns the session. */
export type SessionRequests = {
  /** From the node that holds the worker's socket. */
  report: { request: { placement: ReportedPlacement; report: WorkerReport }; response: Verdict };
  /** Ends the session on behalf of a client. `by`: absent from older versions. */
  end: { request: { sessionId: string; by?: EndedBy | undefined }; response: null };
  /** False: the node no longer has the session. */
  change_picture: { request: { sessionId: string; change: PictureChange }; response: boolean };
  /** Lists the sessions of the node. */
  places: { request: null; response: LivePlace[] };
  /** To each node: the speech of its session that has the seat. */
  seat_speech: { request: { seat: string }; response: SeatSpeech | null };
  /** To each node: read the cordoned workers again. */
  cordons_changed: { request: null; response: null };
};

export type SessionNotices = {
  // To the node that owns the session.
  /** A report whose sender needs no verdict. */
  report: { placement: ReportedPlacement; report: WorkerReport };
  /** The linked session of the call has ended, so this one ends too. */
  linked_ended: { sessionId: string; reason: EndReason; at: number };

  // To all nodes.
  /** A worker is connected and performs exactly these placements. */
  worker_came: { workerId: string; performing: Placement[] };
  worker_leaves: { workerId: string };
  /** These sessions are to move off the worker, which stays. */
  move_away: { workerId: string; sessionIds: string[] };
  worker_lost: { workerId: string; isSilent: boolean };
  /** Another node is gone. Its workers reconnect elsewhere or are lost. */
  node_gone: { node: string };
  session_changed: {
    name: 'session.started' | 'session.ended' | 'session.changed';
    sessionId: string;
  };
};
