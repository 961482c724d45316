import type { Outcome } from '../records/delivery-queue.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long after a failed try the next one comes. After the last one the delivery is given up: a day after the first. */
export const RETRY_AFTER_MS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  6 * HOUR,
  10.5 * HOUR,
] as const;

/** Each wait is longer by up to this part of it, so that what failed together does not come back together. */
const JITTER = 0.1;

/** A webhook that took nothing for this long is disabled. */
const DEAD_AFTER_MS = 24 * HOUR;

/** What a try brought: an answer of the receiver, or none and why. */
export type Answer = { status: number } | { error: string };

/** `attempts`: how many tries there were before. `random` gives 0..1. */
export function judge(
  answer: Answer,
  { attempts, failingSince }: { attempts: number; failingSince: number | null },
  now: number,
  random: number,
): Outcome {
  const answerStatus = 'status' in answer ? answer.status : null;
  if (answerStatus !== null && answerStatus >= 200 && answerStatus < 300) {
    return { status: 'delivered', dueAt: now, answerStatus, error: null, disable: null };
  }
  const error = 'error' in answer ? answer.error : refusal(answer.status);
  // It stays pending: whoever enables the webhook again gets it.
  if (answerStatus === 410) {
    return { status: 'pending', dueAt: now, answerStatus, error, disable: 'gone' };
  }
  const waitMs = RETRY_AFTER_MS[attempts];
  const isDead = failingSince !== null && now - failingSince >= DEAD_AFTER_MS;
  return {
    status: waitMs === undefined ? 'failed' : 'pending',
    dueAt: waitMs === undefined ? now : Math.round(now + waitMs * (1 + JITTER * random)),
    answerStatus,
    error,
    disable: isDead ? 'failing' : null,
  };
}

const refusal = (status: number): string =>
  status >= 300 && status < 400
    ? `Answered ${status}: redirects are not followed.`
    : `Answered ${status}.`;
