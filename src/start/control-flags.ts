/**
 * How Node runs the control plane: so that the slowest of a hundred answers comes soonest. Young memory that stays in the processor's cache;
 * old memory is gone through beside the requests by one thread, as several would take the processors from them, and seldom: not before it
 * is two and a half times what was left the last time. Of what thousands of workers say, much grows old before it is dropped.
 */
export const CONTROL_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=4',
  '--v8-pool-size=1',
  '--heap-growing-percent=150',
] as const;
