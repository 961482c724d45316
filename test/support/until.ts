/** What is true soon is so within the process; longer waits are for others, whom a busy loop would keep from it. */
const EAGER_TURNS = 20;
const LEAST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 100;
/** Of the time waited so far: each look may be a request that keeps both processors busy. */
const PAUSE_SHARE = 0.05;

/** Resolves when `isTrue`: looks after each turn of the event loop, later more and more seldom. Fails after `patienceMs`. */
export async function until(isTrue: () => unknown, patienceMs = 5_000): Promise<void> {
  const begunAt = performance.now();
  for (let turns = 1; !(await isTrue()); turns++) {
    const waitedMs = performance.now() - begunAt;
    if (waitedMs > patienceMs) throw new Error(`did not come true: ${String(isTrue)}`);
    const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(LEAST_PAUSE_MS, waitedMs * PAUSE_SHARE));
    await new Promise((resolve) => {
      if (turns <= EAGER_TURNS) setImmediate(resolve);
      else setTimeout(resolve, pauseMs);
    });
  }
}
