/* When each disturbance of a soak begins. Sessions speak all the time. */

const MINUTE_MS = 60_000;
/** Shares of the length. */
const LOADED = { from: 0.05, to: 0.9 };

/** In milliseconds since the sessions are open. A late step follows the one before at once. */
export type Plan = {
  /** Memory and handles are measured for the first time; then requests and idle sockets begin. */
  measuredAtMs: number;
  loadSeconds: number;
  malformedAtMs: number;
  namesAtMs: number;
  clockAtMs: number;
  /** Requests and idle sockets end. Memory is measured again with the same sessions only. */
  calmAtMs: number;
  endsAtMs: number;
};

/** Shorter plans have no time between two disturbances. */
export const LEAST_MINUTES = 2;

export function planOf(minutes: number): Plan {
  const endsAtMs = minutes * MINUTE_MS;
  const at = (share: number) => Math.round(endsAtMs * share);
  return {
    measuredAtMs: at(LOADED.from),
    loadSeconds: Math.round(minutes * 60 * (LOADED.to - LOADED.from)),
    malformedAtMs: at(0.3),
    namesAtMs: at(0.45),
    clockAtMs: at(0.7),
    calmAtMs: at(LOADED.to),
    endsAtMs,
  };
}
