/** Limits of a session's steps, in milliseconds. */
export type SessionTimes = {
  /** Wait of a request for a free slot. */
  reserveMs: number;
  /** From the request to the first frame. */
  startMs: number;
  /** Wait for a slot after the worker was lost. */
  searchMs: number;
  /** Time for workers to reconnect after a restart of the control plane. */
  claimMs: number;
  /** Pause before a failed save is repeated. */
  retryMs: number;
};

export const usualTimes: SessionTimes = {
  reserveMs: 2_000,
  startMs: 60_000,
  searchMs: 15_000,
  claimMs: 6_000,
  retryMs: 1_000,
};
