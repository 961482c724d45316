/** The only source of time. Passed in, so that tests control it. */
export interface Clock {
  /** Wall-clock time in milliseconds since the epoch. For records and events. */
  now(): number;
  /** Monotonic milliseconds. For media pacing and measurement. */
  elapsed(): number;
  /** Runs `run` once after `ms`; at once if negative. Returns a cancel function. */
  after(ms: number, run: () => void): () => void;
  /** Runs `run` every `ms`, first after `ms`. Returns a stop function. */
  every(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.max(0, ms));
    return () => clearTimeout(timer);
  },
  every(ms, run) {
    const timer = setInterval(run, ms);
    return () => clearInterval(timer);
  },
};

/** Resolves after `ms`, or rejects with the signal's reason as soon as it aborts. */
export function delay(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Settles like `work`, or rejects with `late()` after `ms`. Does not stop `work`. */
export function inTime<Result>(
  clock: Clock,
  ms: number,
  work: Promise<Result>,
  late: () => Error,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => reject(late()));
    work.then(resolve, reject).finally(cancel);
  });
}
