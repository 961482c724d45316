/** Time, chance and network. Tests replace them. */
export type Surroundings = {
  fetch: typeof fetch;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** From 0 to 1. */
  random: () => number;
  /** Runs `run` once after `ms`. Returns a cancel function. */
  after: (ms: number, run: () => void) => () => void;
};

export const realSurroundings: Surroundings = {
  // Looked up at each call: tests and polyfills may replace it later.
  fetch: (input, init) => fetch(input, init),
  now: () => Date.now(),
  random: () => Math.random(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Rejects with the signal's reason when it aborts. */
export function sleep({ after }: Surroundings, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const cancel = after(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    const onAbort = () => {
      cancel();
      reject(signal!.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
