import type { Outcome } from '../records/webhooks/delivery-queue.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Wait after each failed attempt. After the last one, a day after the first, the delivery fails.
 */
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

/** Extends each wait by up to this fraction, so that deliveries that failed together spread out. */
const JITTER = 0.1;

/** A webhook that accepted nothing for this long is disabled. */
const DEAD_AFTER_MS = 24 * HOUR;

/** Result of an attempt: the receiver's HTTP status, or why there was none. */
export type Answer = { status: number } | { error: string };

/** The state transition of a delivery. `attempts`: earlier attempts; `random`: 0..1. */
export function outcomeOf(
  answer: Answer,
  { attempts, failingSince }: { attempts: number; failingSince: number | null },
  now: number,
  random: number,
): Outcome {
  const answerStatus = 'status' in answer ? answer.status : null;
  if (answerStatus !== null && answerStatus >= 200 && answerStatus < 300) {
    return { status: 'delivered', answerStatus };
  }
  const error = 'error' in answer ? answer.error : refusal(answer.status);
  // Stays pending, to be delivered when the webhook is enabled again.
  if (answerStatus === 410) {
    return { status: 'pending', dueAt: now, answerStatus, error, disable: 'gone' };
  }
  const isDead = failingSince !== null && now - failingSince >= DEAD_AFTER_MS;
  const failure = { answerStatus, error, disable: isDead ? ('failing' as const) : null };
  const waitMs = RETRY_AFTER_MS[attempts];
  if (waitMs === undefined) return { status: 'failed', ...failure };
  const dueAt = Math.round(now + waitMs * (1 + JITTER * random));
  return { status: 'pending', dueAt, ...failure };
}

const refusal = (status: number): string =>
  status >= 300 && status < 400
    ? `Answered ${status}: redirects are not followed.`
    : `Answered ${status}.`;
