/* Understands the last line of a conversation by those before it. */
import { baseLanguage } from '#protocol/languages.ts';
import type { Language } from './language.ts';
import { lexiconOf, type Lexicon } from './lexicon.ts';
import { partsOf, type Part } from './parts.ts';
import { plain } from './plain-text.ts';
import { hasSubject, questionOf, type Question, type Today } from './question.ts';

/** A line of the conversation. */
export type Line = { sender: 'agent' | 'user'; text: string };

export type Conversation = {
  /** In their order; the last one is the user's. */
  lines: readonly Line[];
  agentName: string;
  /** Of the agent, such as `de-AT`. */
  language: string;
  /** Whether it has files. */
  hasKnowledge: boolean;
  now: Date;
};

export type Understood = Conversation & {
  lexicon: Lexicon;
  /** For times and dates. */
  locale: string;
  parts: readonly Part[];
  /** The question before, for one such as "and on Sundays?". */
  before: Question | null;
};

/** Lines of the user that are searched for the question before. */
const MOST_BEFORE = 4;
/** Of the words that a search adds for one topic, in characters. */
const TOPIC_WORDS = 240;
const OVERVIEW = ['hours', 'address', 'contact', 'price', 'booking', 'delivery'] as const;
const LONGEST_SEARCH = 1_200;

export function understand(conversation: Conversation): Understood {
  const { lines, agentName, language, now } = conversation;
  const lexicon = lexiconOf(language);
  const today = (now.getDay() + 6) % 7;
  const parts = partsOf(lines.at(-1)?.text ?? '', agentName, lexicon, today);
  const offered = offeredIn(lines.findLast(({ sender }) => sender === 'agent')?.text, lexicon);
  return {
    ...conversation,
    lexicon,
    locale: baseLanguage(language) === lexicon.language.tag ? language : lexicon.language.tag,
    parts: offered === null ? parts : parts.map((part) => accepted(part, offered, lexicon, today)),
    before: questionBefore(lines, agentName, lexicon, today),
  };
}

/** What to search the files for; null: nothing. */
export function searchTextOf({ parts, before, lexicon }: Understood): string | null {
  if (parts.some((part) => part.type === 'talk' && part.intent === 'abilities'))
    return overviewText(lexicon);
  const questions = parts.flatMap((part) => (part.type === 'question' ? [part] : []));
  if (questions.length === 0) return null;
  const needsBefore = before !== null && questions.some(({ question }) => !isComplete(question));
  const about = [...questions.map(({ question }) => question), ...(needsBefore ? [before] : [])];
  const topics = new Set(about.flatMap(({ topics }) => [...topics.keys()]));
  const terms = needsBefore ? [...before.terms] : [];
  return [
    ...questions.map(({ text }) => text),
    ...terms,
    ...[...topics].map((topic) => topicWords(lexicon.language, topic).slice(0, TOPIC_WORDS)),
  ]
    .join(' ')
    .slice(0, LONGEST_SEARCH);
}

/** Searches for what most businesses tell, by the words of headings. */
export const overviewText = ({ language: { topics } }: Lexicon): string =>
  OVERVIEW.map((topic) => `${topics[topic].name} ${topics[topic].headed ?? ''}`)
    .join(' ')
    .replace(/[*,]+/g, ' ');

const isComplete = (question: Question): boolean => hasSubject(question) && !question.isFollowUp;

const topicWords = ({ topics }: Language, topic: keyof Language['topics']): string => {
  const { words, told = '', headed = '', kinds = [] } = topics[topic];
  return [headed, words, told, ...kinds].join(' ').replace(/[*~,]+/g, ' ');
};

function questionBefore(
  lines: readonly Line[],
  agentName: string,
  lexicon: Lexicon,
  today: Today,
): Question | null {
  const said = lines.slice(0, -1).filter(({ sender }) => sender === 'user');
  for (const { text } of said.slice(-MOST_BEFORE).toReversed()) {
    const question = partsOf(text, agentName, lexicon, today).findLast(
      (part) => part.type === 'question' && hasSubject(part.question),
    );
    if (question?.type === 'question') return question.question;
  }
  return null;
}

/** "Yes" to an offer asks for what was offered. */
function accepted(part: Part, offered: string, lexicon: Lexicon, today: Today): Part {
  if (part.type !== 'talk' || part.intent !== 'yes') return part;
  const question = { ...questionOf(offered, lexicon, today), isBrief: true, isAsked: true };
  return { type: 'question', question, text: offered };
}

/** The subject that the agent's line offered. */
function offeredIn(line: string | undefined, { language }: Lexicon): string | null {
  const [start = '', end = ''] = language.replies.nearest.split('{topic}').map(plain);
  const text = plain(line ?? '');
  const from = text.lastIndexOf(start.trimEnd());
  if (from < 0) return null;
  const after = text.slice(from + start.trimEnd().length);
  const to = end.trim() === '' ? after.length : after.lastIndexOf(end.trim());
  return to > 0 ? after.slice(0, to).trim() : null;
}
