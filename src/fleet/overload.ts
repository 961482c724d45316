/*
 * Detects an overloaded worker by its late frames. Slots limit the planned load; this catches the
 * rest, such as a busy neighbour on the same machine or a slow core. A worker changes state only
 * when its reports agree for a while, and recovers more slowly than it is excluded.
 */

/** Shares of late frames. Between the two limits a worker keeps its state. */
const OVERLOADED_ABOVE = 0.05;
const RECOVERED_BELOW = 0.02;

const OVERLOADED_AFTER_MS = 4_000;
const RECOVERED_AFTER_MS = 9_000;

export type Overload = {
  isOverloaded: boolean;
  /** Start of the reports that contradict `isOverloaded`; null if the last one agreed. */
  contradictedSince: number | null;
};

export const notOverloaded: Overload = { isOverloaded: false, contradictedSince: null };

/** `lateFrames`: share of late frames in the latest report. `now`: monotonic, in milliseconds. */
export function nextOverload(before: Overload, lateFrames: number, now: number): Overload {
  const { isOverloaded } = before;
  const contradicts = isOverloaded ? lateFrames < RECOVERED_BELOW : lateFrames > OVERLOADED_ABOVE;
  if (!contradicts) return { isOverloaded, contradictedSince: null };
  const since = before.contradictedSince ?? now;
  if (now - since < (isOverloaded ? RECOVERED_AFTER_MS : OVERLOADED_AFTER_MS)) {
    return { isOverloaded, contradictedSince: since };
  }
  return { isOverloaded: !isOverloaded, contradictedSince: null };
}
