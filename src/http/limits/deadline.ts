import { inTime, type Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { Fault } from '../../errors.ts';

/** Published clients give up after 10 s and post again: an answer must be there before. */
const ANSWER_WITHIN_MS = 9_000;

/**
 * The result of `work`, or 503 when it takes too long. The work itself goes on, so that a client that repeats its request finds what it
 * made; it is told whether anybody still waits for it.
 */
export function answerInTime<Result>(
  clock: Clock,
  log: Pick<Log, 'error'>,
  work: (isInTime: () => boolean) => Promise<Result>,
): Promise<Result> {
  let isInTime = true;
  const working = work(() => isInTime);
  working.catch((error: unknown) => {
    if (!isInTime) log.error({ err: error }, 'request failed after its answer');
  });
  return inTime(clock, ANSWER_WITHIN_MS, working, () => {
    isInTime = false;
    return new Fault('at_capacity', { retryAfterSeconds: 2 });
  });
}
