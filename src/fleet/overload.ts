/*
 * Whether a worker's frames keep time, by what it reports: a measured guard beside the counted slots, for what these cannot know (a neighbour
 * on the same machine, a slow core). One bad second changes nothing: the reports must say the same for a while, and it takes less to be
 * taken for late than to be trusted again.
 */

/** A share of late frames above this is late, below the other in time; between them a worker stays what it was. */
const LATE_ABOVE = 0.05;
const IN_TIME_BELOW = 0.02;

const LATE_AFTER_MS = 4_000;
const IN_TIME_AFTER_MS = 9_000;

export type Overload = {
  isLate: boolean;
  /** Since when reports say the contrary; null when the last one did not. */
  contradictedSince: number | null;
};

export const inTime: Overload = { isLate: false, contradictedSince: null };

export function judge(before: Overload, lateFrames: number, now: number): Overload {
  const { isLate } = before;
  const contradicts = isLate ? lateFrames < IN_TIME_BELOW : lateFrames > LATE_ABOVE;
  if (!contradicts) return { isLate, contradictedSince: null };
  const since = before.contradictedSince ?? now;
  if (now - since < (isLate ? IN_TIME_AFTER_MS : LATE_AFTER_MS)) {
    return { isLate, contradictedSince: since };
  }
  return { isLate: !isLate, contradictedSince: null };
}
