import { Refusal, Unreachable } from '../../api/answers.ts';
import { NotAllowed, type Agent } from '../connection/chat-service.ts';
import type { RefusalReason } from '../state/call-state.ts';
import { localFirefoxAdvice } from './local-firefox.ts';

export function refusalOf(error: unknown): {
  why: RefusalReason;
  retryAfterSeconds: number | null;
} {
  const retryAfterSeconds = error instanceof Refusal ? error.retryAfterSeconds : null;
  return { why: reasonOf(error), retryAfterSeconds };
}

function reasonOf(error: unknown): RefusalReason {
  if (error instanceof NotAllowed) return 'not_allowed';
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
    `${name} is not taking calls right now`,
    'The cost limit for calls has been reached.',
  ],
  unreachable: (name) => [
    `${name} cannot be reached`,
    'The service does not respond. Check your connection, then try again.',
  ],
  not_allowed: () => ['This call is not available here', 'Ask the owner of this page.'],
  no_media: (name) => [
    `Could not connect to ${name}`,
    `Audio and video use a separate connection, and the media server does not respond. A firewall may block it.${localFirefoxAdvice()}`,
  ],
  failed: (name) => [`${name} is not available`, 'Something went wrong. Try again.'],
};

/** When to try again, as a sentence after the advice. */
export function retryText(seconds: number | null): string {
  if (seconds === null) return '';
  return ` Try again in ${waitText(seconds)}.`;
}

function waitText(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  if (seconds < 90 * 60) return `${Math.ceil(seconds / 60)} minutes`;
  return `${Math.ceil(seconds / 3_600)} hours`;
}

export const nameOf = (agent: Agent | null): string => agent?.name ?? 'The agent';
