/**
 * Node flags of the control plane, chosen for the latency of the slowest percent of requests. The young generation fits the CPU cache.
 * One thread collects the old generation, because several would compete with requests, and only when the heap has grown to two and a
 * half times its last size: load reports of thousands of workers grow old before they are dropped.
 */
export const CONTROL_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=4',
  '--v8-pool-size=1',
  '--heap-growing-percent=150',
] as const;
