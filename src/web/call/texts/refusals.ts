import { Refusal, Unreachable } from '../../api/answers.ts';
import type { Agent } from '../connection/chat-service.ts';
import type { RefusalReason } from '../state/call-state.ts';
import { localFirefoxAdvice } from './local-firefox.ts';

export function refusalOf(error: unknown): {
  why: RefusalReason;
  retryAfterSeconds: number | null;
} {
  const why = reasonOf(error);
  // A budget begins again in hours; its text says when.
  const isSoon = error instanceof Refusal && why !== 'used_up';
  return { why, retryAfterSeconds: isSoon ? error.retryAfterSeconds : null };
}

function reasonOf(error: unknown): RefusalReason {
  if (error instanceof Unreachable) return 'unreachable';
  if (isOfMediaClient(error)) return 'no_media';
  if (!(error instanceof Refusal)) return 'failed';
  switch (error.status) {
    case 401:
      return 'private';
    case 402:
      return 'full';
    case 404:
      return 'not_found';
    case 429:
      if (error.about['code'] === 'budget_reached') return 'used_up';
      // Only the request limit sends Retry-After; the plan's limit is a 429 without it.
      return error.retryAfterSeconds ? 'too_often' : 'full';
    default:
      return 'failed';
  }
}

/** By its name, because pages show refusals before they load the media client. */
const isOfMediaClient = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ConnectionError';

/** Explains why there is no call, and what to do. */
export const refusalTexts: Record<
  RefusalReason,
  (name: string) => [title: string, advice: string]
> = {
  not_found: () => ['Agent not found', 'The link may be mistyped, or the agent was removed.'],
  private: () => [
    'This call needs a valid link',
    'The link may be incomplete or may have expired. Ask for a new one.',
  ],
  full: () => ['All lines are busy', 'Try again in a few minutes.'],
  too_often: () => ['Too many calls', 'Your network started too many calls in the last hour.'],
  used_up: (name) => [
    `${name} takes no more calls today`,
    'So many people have called that the budget for today is used up. Please come back tomorrow.',
  ],
  unreachable: (name) => [
    `${name} cannot be reached`,
    'The service does not respond. Check your connection, then try again.',
  ],
  no_media: (name) => [
    `Could not connect to ${name}`,
    localFirefoxAdvice() ??
      'Audio and video use a separate connection, and the media server does not respond. A firewall may block it.',
  ],
  failed: (name) => [`${name} is not available`, 'Something went wrong. Try again.'],
};

/** When to try again, as a sentence after the advice. */
export function retryText(seconds: number | null): string {
  if (seconds === null) return '';
  const wait = seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
  return ` Try again in ${wait}.`;
}

export const nameOf = (agent: Agent | null): string => agent?.name ?? 'The agent';
