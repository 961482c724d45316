/*
 * Finds a call's topic and the user's sentiment by word lists, without a model. Pure. The time
 * grows with the length of the texts and no faster.
 */
import type { CallMessage } from '../../records/calls/call-messages.ts';
import type { CallEvaluation, CallRecord } from '../../records/calls/calls.ts';

export type Evaluation = Pick<CallEvaluation, 'topic' | 'userSentiment' | 'evaluatedBy'>;

/** Adds the call's duration and message count. */
export const evaluationOf = (
  { startedAt, endedAt }: Pick<CallRecord, 'startedAt' | 'endedAt'>,
  messages: readonly CallMessage[],
  evaluation: Evaluation,
): CallEvaluation => ({
  ...evaluation,
  durationMinutes:
    startedAt === null || endedAt === null
      ? 0
      : Math.round(((endedAt - startedAt) / 60_000) * 100) / 100,
  messagesCount: messages.length,
});

/** Topic: the user's most frequent words. Sentiment: positive against negative words. */
export function evaluateByRules(userTexts: readonly string[]): Evaluation {
  const words = userTexts.flatMap((text) => text.toLowerCase().match(/[\p{L}\p{M}']+/gu) ?? []);
  return { topic: topicOf(words), userSentiment: sentimentOf(words), evaluatedBy: 'rules' };
}

/** For a call without user messages, or when neither model nor rules give a result. */
export const NO_EVALUATION: Evaluation = {
  topic: '',
  userSentiment: 'neutral',
  evaluatedBy: 'rules',
};

/** In characters. */
export const MAX_TOPIC = 200;
const TOPIC_WORDS = 4;

/** Most frequent first; equally frequent words by length. */
function topicOf(words: string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) {
    if (word.length > 3 && !STOP_WORDS.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([a, many], [b, more]) => more - many || b.length - a.length)
    .slice(0, TOPIC_WORDS)
    .map(([word]) => word)
    .join(', ')
    .slice(0, MAX_TOPIC)
    .toWellFormed();
}

function sentimentOf(words: string[]): Evaluation['userSentiment'] {
  let sum = 0;
  // `not good`, `not very good`.
  let isNegated = false;
  for (const word of words) {
    const score = POSITIVE.has(word) ? 1 : NEGATIVE.has(word) ? -1 : 0;
    sum += isNegated ? -score : score;
    if (!FILLERS.has(word)) isNegated = NEGATIONS.has(word);
  }
  if (sum === 0) return 'neutral';
  return sum > 0 ? 'positive' : 'negative';
}

const set = (words: string) => new Set(words.split(' '));

const NEGATIONS = set("not no never isn't don't doesn't didn't wasn't aren't can't won't nothing");
const FILLERS = set('a an the so very that really too at all');
const POSITIVE = set(
  'thanks thank great good perfect excellent wonderful nice lovely awesome amazing happy glad love loved like helpful fantastic brilliant cool works worked solved super pleased satisfied danke merci gracias grazie obrigado prima perfekt',
);
const NEGATIVE = set(
  'bad terrible awful horrible angry annoyed annoying useless wrong broken disappointed disappointing frustrated frustrating hate worst problem problems complaint complain slow fail failed fails error unhappy poor stupid ridiculous unacceptable schlecht kaputt problema',
);
const STOP_WORDS = set(
  "about actually after again also always anything because been before being between both call cannot could does doesn't don't doing each even ever every from give going good great have having hello help here i'll i'm i've it's just know like little look make many maybe mean more most much need never nice okay only other over please really right same seems should some someone something still such sure take talk tell than thank thanks that that's their them then there there's these they thing things think this those through time very want wanted well were what what's when where which while will with without would yeah your yours",
);
