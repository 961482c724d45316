import { ConnectionError } from 'livekit-client';
import { Refusal, Unreachable } from '../../api/answers.ts';
import type { Agent } from './chat.ts';
import type { RefusedWhy } from './room-state.ts';

export function refusalOf(error: unknown): { why: RefusedWhy; retryAfterSeconds: number | null } {
  if (error instanceof Unreachable) return { why: 'unreachable', retryAfterSeconds: null };
  if (error instanceof ConnectionError) return { why: 'no_media', retryAfterSeconds: null };
  if (!(error instanceof Refusal)) return { why: 'failed', retryAfterSeconds: null };
  const { status, retryAfterSeconds } = error;
  if (status === 404) return { why: 'not_found', retryAfterSeconds };
  if (status === 402) return { why: 'full', retryAfterSeconds };
  // Of the two that are 429 only the limit of requests knows when it is over.
  if (status === 429) return { why: retryAfterSeconds ? 'too_often' : 'full', retryAfterSeconds };
  return { why: 'failed', retryAfterSeconds };
}

/** What there is instead of a call, and what to do about it. */
export const refusalWords: Record<RefusedWhy, (who: string) => [title: string, advice: string]> = {
  not_found: () => [
    'Nobody is here',
    'This address leads to no agent: it may have been mistyped, or the agent was removed.',
  ],
  full: (who) => [
    `${who} can take no more calls just now`,
    'As many people as may are talking already. Try again in a few minutes.',
  ],
  too_often: (who) => [
    'That was a lot of calls',
    `From one address only so many calls with ${who} may be started in an hour.`,
  ],
  unreachable: (who) => [
    `${who} cannot be reached`,
    'The service does not answer. Check your connection, then try again.',
  ],
  no_media: (who) => [
    `The line to ${who} could not be opened`,
    'Sound and picture take another way than this page, and nothing answered there. A strict network may be in between.',
  ],
  failed: (who) => [
    `${who} is not available`,
    'Something went wrong on the other side. Try again.',
  ],
};

export const nameOf = (agent: Agent | null): string => agent?.name ?? 'The agent';
