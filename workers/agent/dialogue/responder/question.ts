/* What a visitor asks. */
import type { QuestionKind, TopicId } from './language.ts';
import type { Lexicon, Topics } from './lexicon.ts';
import { plain } from './plain-text.ts';

export type Question = {
  topics: Topics;
  terms: ReadonlySet<string>;
  /** Terms that are written as names. */
  names: ReadonlySet<string>;
  kind: QuestionKind | null;
  days: ReadonlySet<number>;
  /** It may be about the subject before. */
  isFollowUp: boolean;
  /** It names a subject and little else, such as "tell me about food". */
  isBrief: boolean;
  /** It has the form of a question. */
  isAsked: boolean;
};

/** In words. */
const MOST_BRIEF = 4;

/** Monday is 0. */
export type Today = number;

/** `text`: what one question says. */
export function questionOf(text: string, lexicon: Lexicon, today: Today): Question {
  const plainText = plain(text);
  const followUpEnd = lexicon.followUpEnd(text);
  const dates = lexicon.weekdays.take(plainText.slice(followUpEnd));
  const relative = lexicon.today.take(dates.rest);
  const { topics: allTopics, rest } = lexicon.topicsIn(relative.rest, 'asked');
  const topics = new Map(allTopics);
  // "How do I get to you by bus" is about the bus.
  if (topics.has('transit')) topics.delete('address');
  const kinds = lexicon.kinds.take(plainText);
  const terms = lexicon.termsIn(lexicon.kinds.take(lexicon.numbers.take(rest).rest).rest);
  const days = new Set(dates.days);
  if (relative.ids.has('today')) days.add(today);
  if (relative.ids.has('tomorrow')) days.add((today + 1) % 7);
  const [kind = null] = kinds.ids;
  return {
    topics,
    terms,
    names: lexicon.namesIn(text),
    kind,
    days,
    isBrief: plainText.trim().split(' ').length <= MOST_BRIEF,
    isFollowUp:
      followUpEnd > 0 || (topics.size + terms.size <= 1 && lexicon.pronouns.has(plainText)),
    isAsked:
      kind !== null ||
      followUpEnd > 0 ||
      /[?？]\s*$/.test(text) ||
      lexicon.questions.endAtStart(plainText) > 0,
  };
}

/** Whether it says what it is about. */
export const hasSubject = ({ topics, terms }: Pick<Question, 'topics' | 'terms'>): boolean =>
  topics.size + terms.size > 0;

/** "On Sunday?" is about opening hours, and "where is the shop?" about the address. */
export function completed(question: Question, lexicon: Lexicon): Question {
  if (question.topics.size > 0) return question;
  const namesOther = [...question.terms].some((term) => !lexicon.isPlace(term));
  if (namesOther) return question;
  if (question.kind === 'where') return { ...question, ...aboutOnly('address') };
  return question.terms.size === 0 && question.days.size > 0
    ? { ...question, ...aboutOnly('hours') }
    : question;
}

const aboutOnly = (topic: TopicId) => ({
  topics: new Map([[topic, new Set<number>()]]),
  terms: new Set<string>(),
  names: new Set<string>(),
});

/** The question about a topic alone. */
export const aboutTopic = (topic: TopicId): Question => ({
  ...aboutOnly(topic),
  kind: null,
  days: new Set(),
  isFollowUp: false,
  isBrief: true,
  isAsked: true,
});
