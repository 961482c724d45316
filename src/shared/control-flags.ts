/**
 * How Node runs the control plane. A session's records and timers live for seconds: where young memory is small they are copied again and
 * again, and all requests wait meanwhile.
 */
export const CONTROL_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=64',
] as const;
