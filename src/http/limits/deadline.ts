import { inTime, type Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { Fault } from '../../errors.ts';

/** Published clients time out after 10 s and send the request again. */
const ANSWER_WITHIN_MS = 9_000;

const TOO_SLOW = {
  detail: 'The answer took too long. Please try again shortly.',
  advice: 'Send the same request again after the seconds in Retry-After.',
  retryAfterSeconds: 2,
};

/**
 * The result of `work`, or 503 when it takes too long. The work continues, so that a repeated
 * request finds its result; `isInTime` tells it whether the client still waits.
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
    return new Fault('at_capacity', TOO_SLOW);
  });
}
