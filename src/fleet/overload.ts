/*
 * Pure state machine: whether a worker is overloaded, by its late frames. Slots limit the planned
 * load; this catches the rest, such as a busy neighbour on the same machine or a slow core.
 *
 * normal      its frames are on time
 * slowing     many are late            -> overloaded if that lasts, else normal
 * overloaded  it is offered no session
 * recovering  few are late again       -> normal if that lasts longer, else overloaded
 *
 * Between the two shares of late frames a worker is neither slowing nor recovering.
 */
export type Overload =
  | { type: 'normal' }
  | { type: 'slowing'; since: number }
  | { type: 'overloaded' }
  | { type: 'recovering'; since: number };

/** How far below the limit a worker recovers, so that it does not change to and fro. */
const MARGIN = 2.5;

const OVERLOADED_AFTER_MS = 4_000;
const RECOVERED_AFTER_MS = 9_000;

export const isOverloaded = ({ type }: Overload): boolean =>
  type === 'overloaded' || type === 'recovering';

type LateReport = {
  /** Share of late frames, and the share above which many are late. */
  lateFrames: number;
  limit: number;
  /** Monotonic, in milliseconds. */
  now: number;
};

export function advanceOverload(
  overload: Overload,
  { lateFrames, limit, now }: LateReport,
): Overload {
  const since = 'since' in overload ? overload.since : now;
  switch (overload.type) {
    case 'normal':
    case 'slowing':
      if (lateFrames <= limit) return { type: 'normal' };
      return now - since < OVERLOADED_AFTER_MS
        ? { type: 'slowing', since }
        : { type: 'overloaded' };
    case 'overloaded':
    case 'recovering':
      if (lateFrames >= limit / MARGIN) return { type: 'overloaded' };
      return now - since < RECOVERED_AFTER_MS ? { type: 'recovering', since } : { type: 'normal' };
  }
}
