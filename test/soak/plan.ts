/* When each disturbance of a soak begins. Sessions speak all the time. */

const MINUTE_MS = 60_000;

/** In milliseconds since the sessions are open. A late step follows the one before at once. */
export type Plan = {
  /** Memory and handles are measured for the first time. */
  measuredAtMs: number;
  socketsAtMs: number;
  loadAtMs: number;
  loadSeconds: number;
  malformedAtMs: number;
  namesAtMs: number;
  clockAtMs: number;
  endsAtMs: number;
};

/** Shorter runs end before the server has closed all idle sockets. */
export const LEAST_MINUTES = 3;

export function planOf(minutes: number): Plan {
  const endsAtMs = minutes * MINUTE_MS;
  const at = (share: number) => Math.round(endsAtMs * share);
  return {
    measuredAtMs: at(0.1),
    socketsAtMs: at(0.1),
    loadAtMs: at(0.2),
    // Five minutes of thirty.
    loadSeconds: Math.round((minutes * 60) / 6),
    malformedAtMs: at(0.45),
    namesAtMs: at(0.55),
    clockAtMs: at(0.75),
    endsAtMs,
  };
}
