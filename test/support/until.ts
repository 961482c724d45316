import { PATIENCE_MS } from './patience.ts';

/** Conditions in this process come true soon; polling would slow other processes down. */
const EAGER_TURNS = 20;
const LEAST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 100;
/** Poll interval as a share of the time waited: a poll may be a costly request. */
const PAUSE_SHARE = 0.05;

/** Polls after each turn of the event loop, then less often. Rejects after `patienceMs`. */
export async function until(isTrue: () => unknown, patienceMs = PATIENCE_MS): Promise<void> {
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
