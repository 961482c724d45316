/**
 * V8 flags of the control plane, chosen for the slowest of a hundred responses: a young generation
 * that fits the processor's cache; one thread for the old generation, because more would compete
 * with requests; and old-generation collections only after 150 % growth, because much of what
 * thousands of workers report becomes old before it is garbage.
 */
export const CONTROL_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=4',
  '--v8-pool-size=1',
  '--heap-growing-percent=150',
] as const;
