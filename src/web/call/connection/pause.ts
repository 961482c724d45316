/** Resolves after `ms`, or when `signal` aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    const wake = () => (clearTimeout(timer), resolve());
    signal.addEventListener('abort', wake, { once: true });
  });
}
