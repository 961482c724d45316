import type { Placement } from '../placement.ts';
import type { WorkerMessage } from './worker-messages.ts';

/** Messages about one session that its worker performs. */
export type SessionMessage = Extract<
  WorkerMessage,
  { type: 'started' | 'ended' | 'renewed' | 'speech' | 'noted' | 'released' }
>;

type Content<Message> = Message extends unknown ? Omit<Message, 'id' | 'placement'> : never;

/** A report about one placement, from the worker or the gateway. Also crosses the cluster bus. */
export type WorkerReport =
  | Content<SessionMessage>
  /** The worker connected and performs the placement. */
  | { type: 'claimed'; workerId: string }
  /**
   * The worker accepted the placement and cannot show its face. `isSilent`: it does not answer, and
   * may still show it.
   */
  | { type: 'gave_up'; workerId: string; isSilent?: boolean };

/**
 * A placement, and the worker that reports on it. `workerId`: absent in reports that a control
 * plane of an older version forwards.
 */
export type ReportedPlacement = Placement & { workerId?: string };

/**
 * `stale`: the placement is not the session's, or another worker holds it; the sender must drop it.
 */
export type Verdict = 'recorded' | 'stale';
