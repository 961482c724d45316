/** How long a session's steps may take, and its waits last. */
export type SessionTimes = {
  /** How long a request waits for a free slot. */
  reserveMs: number;
  /** How long the face may take from the request to its first frame. */
  startMs: number;
  /** How long a session that lost its worker waits for a slot. */
  searchMs: number;
  /** How long workers have to come back after a restart of the control plane. */
  claimMs: number;
  /** How long to wait before a save that failed is tried again. */
  retryMs: number;
};

export const usualTimes: SessionTimes = {
  reserveMs: 2_000,
  startMs: 60_000,
  searchMs: 15_000,
  claimMs: 6_000,
  retryMs: 1_000,
};
