/**
 * How Node runs the control plane. A session's records and timers live for seconds: where young memory is small they are copied again and
 * again, and where it is large requests wait for each of its collections. In between the slowest of a hundred answers comes soonest.
 */
export const CONTROL_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=16',
] as const;
