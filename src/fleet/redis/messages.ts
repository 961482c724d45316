import type { EndReason } from '#protocol/end-reasons.ts';
import type { Sheet } from '#protocol/sheets.ts';
import type { Assignment, AvatarFile, Job, Lease, Placement } from '../fleet.ts';

/** Sent to the node that holds the worker's socket. */
export type FleetRequests = {
  /** `absent`: the node no longer holds it. */
  assign: { request: { lease: Lease; job: Job }; response: Assignment | 'absent' };
  drain: { request: { workerId: string }; response: boolean };
  /** Older versions do not know it. */
  still: { request: { lease: Lease }; response: string | null };
  sheet: { request: { avatar: AvatarFile; pool: string }; response: Sheet | null };
};

/** Sent to the node that holds the worker's socket. */
export type FleetNotices = {
  end: { lease: Lease; reason: EndReason };
  release: { lease: Lease; withinMs: number };
  drop: { workerId: string; placement: Placement };
};
