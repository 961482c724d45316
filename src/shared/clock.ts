/** The only source of time: passed in, so that a test can hold it. */
export interface Clock {
  /** Wall time in milliseconds since the epoch: for records and events. */
  now(): number;
  /** Milliseconds that never jump: for pacing media and measuring. */
  elapsed(): number;
  /** Runs `run` once after `ms`, at once when that is past: what is left of a wait may be less than nothing. Call what it returns to cancel. */
  after(ms: number, run: () => void): () => void;
  /** Runs `run` each `ms`, the first time after so long. Call what it returns to stop. */
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

/** What `work` comes to, or a rejection by `late` when that takes longer than `ms`. The work itself goes on. */
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
