import { Refusal, Unreachable } from '../../api/answers.ts';
import { NotAllowed, type Agent } from '../connection/chat-service.ts';
import type { Phase, RefusalReason } from '../state/call-state.ts';
import type { CallWords } from '../words/call-words.ts';
import { localFirefoxAdvice } from './local-firefox.ts';
import { whenText } from './when-text.ts';

type Refused = Extract<Phase, { type: 'refused' }>;

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

/** Why there is no call, and what to do. */
export function refusalText(
  words: CallWords,
  { why, agent }: Pick<Refused, 'why' | 'agent'>,
): [title: string, advice: string] {
  const [title, advice] = words.refusals[why](nameOf(words, agent));
  return [title, why === 'no_media' ? advice + localFirefoxAdvice(words) : advice];
}

/** When to try again, as a sentence after the advice. */
export const retryText = (words: CallWords, seconds: number | null): string =>
  seconds === null
    ? ''
    : words.betweenSentences + words.tryAgainWhen(whenText(words.language, seconds));

export const nameOf = ({ someAgent }: CallWords, agent: Agent | null): string =>
  agent?.name ?? someAgent;
