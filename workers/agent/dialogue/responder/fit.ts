/* How well a fact fits one part of a question; 1 fits best. */
import type { Fact } from './facts.ts';
import type { TopicId } from './language.ts';
import type { Question } from './question.ts';

/** Topics whose general facts are about each kind: "No pets" holds for dogs. */
const COVERING: ReadonlySet<TopicId> = new Set(['pets', 'allergies']);
/** A question about dogs, and a fact about pets, about something below "Pets", or about cats. */
const ANY_KIND = 0.85;
export const UNSURE = 0.6;
export const OTHER_KIND = 0.4;
const IN_HEADING = 0.9;
const IN_OUTER_HEADING = 0.7;
/** A question for a price, and a fact without one. */
const NO_PRICE = 0.55;
const NO_TIME = 0.55;
const NO_NAME = 0.55;
const OTHER_DAY = 0.6;
/** Opening hours of a part of the business, such as "The sauna is heated from 4 to 9 pm". */
const TIMES_OF_PART = 0.8;
/** Share of what is asked. */
const ALL = 0.72;

export function topicMatch(
  topic: TopicId,
  kinds: ReadonlySet<number>,
  fact: Fact,
  isAlone: boolean,
): number {
  const own = fact.topics.get(topic);
  if (own) return kindsMatch(topic, kinds, own);
  if (topic === 'hours' && !isAlone && fact.hasTimes) return TIMES_OF_PART;
  const { heading, outer } = fact;
  const ofHeading = heading.topics.get(topic) ?? outer.topics.get(topic);
  if (!ofHeading) return 0;
  if (kinds.size > 0 && ofHeading.size === 0) return UNSURE;
  const share = heading.topics.has(topic) ? inHeading(fact, isAlone) : IN_OUTER_HEADING;
  return share * kindsMatch(topic, kinds, ofHeading);
}

function kindsMatch(topic: TopicId, asked: ReadonlySet<number>, told: ReadonlySet<number>): number {
  if (asked.size === 0 || [...asked].some((kind) => told.has(kind))) return 1;
  return told.size === 0 && COVERING.has(topic) ? ANY_KIND : OTHER_KIND;
}

/**
 * A row is nothing without its heading, nor an answer without its question. `isAlone`: nothing else
 * is asked, so that the whole section answers.
 */
export const inHeading = (fact: Fact, isAlone: boolean): number =>
  isAlone || fact.type === 'row' || isAnswer(fact) ? 1 : IN_HEADING;

export const isAnswer = ({ headings }: Fact): boolean => /[?？]$/.test(headings.at(-1) ?? '');

/** `share`: how much of what is asked the fact is about. */
export function kindMatch(question: Question, fact: Fact, share: number): number {
  const { kind, topics } = question;
  const isAll = share >= ALL;
  if (kind === 'howLong') return fact.hasDuration ? 1 : NO_TIME;
  if (kind === 'howMuch' || topics.has('price'))
    return namesItsPrice(question, fact) ? 1 : NO_PRICE;
  if (topics.has('hours')) return fact.hasHours ? 1 : NO_TIME;
  // "The cable car is ten minutes away" does not say when it starts.
  if (kind === 'when') return fact.hasHours || (isAll && namesDate(fact)) ? 1 : NO_TIME;
  if (kind === 'who') return isAll || topics.has('owner') ? 1 : NO_NAME;
  if (kind === 'howMany') return isCounted(question, fact) ? 1 : NO_TIME;
  // "On 17 May Jan Keller reads" does not say how old he is.
  if (kind === 'measure') return fact.hasNumber && !fact.hasDate ? 1 : NO_TIME;
  return 1;
}

const namesDate = ({ hasDuration, hasNumber, hasDate }: Fact): boolean =>
  hasDuration || hasNumber || hasDate;

/** "Members park free for two hours" does not say how many members there are. */
const isCounted = ({ topics, terms }: Question, { type, hasNumber, counted }: Fact): boolean =>
  type === 'row' || counted === null || topics.size > 0
    ? hasNumber
    : [...terms].some((term) => counted.has(term));

/** Whether the price is that of what is asked for, and not of something else in the sentence. */
function namesItsPrice({ topics, terms }: Question, fact: Fact): boolean {
  if (fact.price === null) return false;
  if (topics.size + terms.size === 1 || fact.type === 'row' || terms.has(fact.firstTerm))
    return true;
  const others = [...topics.keys()].filter((topic) => topic !== 'price');
  return (
    others.some((topic) => fact.topics.has(topic) || fact.heading.topics.has(topic)) ||
    (fact.price === 'sum' && [...terms].some((term) => fact.priced.has(term)))
  );
}

export function dayMatch({ days, topics }: Question, fact: Fact): number {
  if (days.size === 0 || [...days].some((day) => fact.days.has(day))) return 1;
  // Who books a table for Sunday is told how to book.
  return fact.days.size === 0 && (topics.has('booking') || topics.has('cancelling'))
    ? 1
    : OTHER_DAY;
}
