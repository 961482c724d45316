/**
 * How Node runs the control plane: so that the slowest of a hundred answers comes soonest. Requests wait for each collection of young memory:
 * the smaller that is, the less there is to copy, and the more of what thousands of workers say grows old before it is dropped. Old memory is
 * gone through beside the requests, by one thread, as several would take the processors from them.
 */
export const CONTROL_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=8',
  '--v8-pool-size=1',
] as const;
