import type { CpuPressure } from '../../support/processes/cpu-pressure.ts';
import { until } from '../../support/until.ts';

/**
 * Priority of the busy loop at first: each thread of the worker gets a thirtieth of the loop's
 * time. More at once takes the time that a still picture needs for its sound.
 */
export const MILD = 4;
/** More than the three seconds that the worker waits before it goes down. */
const STEP_MS = 5_000;

/**
 * Takes more of a worker's time every `stepMs` until `isTrue`. False: that does not come true
 * within `limitMs`, or with the least CPU time.
 */
export async function squeezed(
  pressure: Pick<CpuPressure, 'increase'>,
  isTrue: () => boolean,
  { stepMs = STEP_MS, limitMs = Infinity } = {},
): Promise<boolean> {
  const begunAt = performance.now();
  for (;;) {
    const leftMs = limitMs - (performance.now() - begunAt);
    const hasCome = await until(isTrue, Math.min(stepMs, leftMs)).then(
      () => true,
      () => false,
    );
    if (hasCome) return true;
    if (performance.now() - begunAt >= limitMs || !pressure.increase()) return false;
  }
}
