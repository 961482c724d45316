/*
 * Which worker performs a live session. `advance-placement.ts` has the transitions.
 *
 * unclaimed   no worker is known and none is looked for
 * placed      `lease` is the session's slot; `search` is set until the lease's worker accepts
 * searching   no worker; a slot is being reserved
 * pausing     no worker; the next attempt follows after a pause
 * reserving   as placed, while a slot elsewhere is reserved because the worker is leaving
 * releasing   as placed; the worker was asked to fall silent, then the session moves to `to`
 * confirming  ownership is checked before the session moves to `to`; `lease` is null if lost
 * closed      final
 *
 * After a release the old worker stays in the room until its successor, who joins with the same
 * identity, replaces it. In the fleet the new lease replaces the old one when it is reserved.
 */
import type { Assignment, Lease } from '../../fleet/fleet.ts';

/** All times are monotonic milliseconds. `latest` bounds extensions of `deadline`. */
export type Search = { deadline: number; latest: number };

type Common = {
  /** Epoch of the newest placement. It only rises; reports of a lower epoch are stale. */
  epoch: number;
  /** Lease of a worker that has released the session and may still be in the room. */
  former: Lease | null;
};

export type Phase =
  | { type: 'unclaimed' }
  | { type: 'placed'; lease: Lease; search: Search | null }
  | { type: 'searching'; search: Search; since: number }
  /** `failedSince`: start of an attempt without an answer; it extends the deadline. */
  | { type: 'pausing'; search: Search; failedSince: number | null }
  | { type: 'reserving'; lease: Lease }
  | { type: 'releasing'; lease: Lease; to: Lease }
  | { type: 'confirming'; lease: Lease | null; to: Lease }
  /** `lease` is kept until the session frees it. */
  | { type: 'closed'; lease: Lease | null };

export type PlacementState = Common & Phase;

export type PlacementEvent =
  /** The placement is in the records. */
  | { type: 'saved'; lease: Lease }
  | { type: 'save_failed'; lease: Lease }
  /** The records have the placement of another control plane. */
  | { type: 'superseded'; lease: Lease }
  | { type: 'answered'; lease: Lease; answer: Assignment }
  /** A worker reconnected and performs the newest placement. */
  | { type: 'claimed'; lease: Lease }
  | { type: 'lost' }
  /** Repeated while the worker drains; sent once when it is relieved. */
  | { type: 'worker_leaving' }
  | { type: 'released'; epoch: number }
  /** The newest worker's first frame is in the room. */
  | { type: 'shown' }
  /** Never for a cancelled request; its slot is freed by the performer of effects. */
  | { type: 'reserved'; lease: Lease | null }
  | { type: 'reserve_failed' }
  | { type: 'owned' }
  | { type: 'not_owned' }
  | { type: 'timer' }
  | { type: 'closed' }
  | { type: 'ended' };

export type PlacementEffect =
  | { type: 'reserve'; epoch: number; waitMs: number; checksOwner: boolean }
  | { type: 'cancel_reserve' }
  | { type: 'confirm_owner' }
  | { type: 'hold'; lease: Lease }
  | { type: 'free'; lease: Lease }
  | { type: 'save'; lease: Lease }
  | { type: 'assign'; lease: Lease }
  | { type: 'release'; lease: Lease; withinMs: number }
  | { type: 'drop'; lease: Lease }
  | { type: 'record_wait'; waitedMs: number }
  | { type: 'start_timer'; ms: number }
  | { type: 'stop_timer' }
  | { type: 'report_unplaceable' }
  | { type: 'report_superseded' };

export const leaseOf = (state: PlacementState): Lease | null =>
  'lease' in state ? state.lease : null;
