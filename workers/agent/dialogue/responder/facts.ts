/* What each statement of the agent's texts is about. */
import type { Lexicon, Topics } from './lexicon.ts';
import type { TopicId } from './language.ts';
import { plain } from './plain-text.ts';
import {
  namesCount,
  namesEmail,
  namesPhone,
  namesPrice,
  namesTime,
  namesTimes,
  namesYear,
} from './signs.ts';
import { statementsIn, type Statement } from './statements.ts';

/** A text to quote. `name` null: the agent's prompt. */
export type Source = { name: string | null; text: string };

export type Fact = Statement & {
  source: Source;
  /** Of its passage. */
  isFirst: boolean;
  /** Terms of the heading with which its passage begins. */
  title: ReadonlySet<string>;
  topics: Topics;
  terms: ReadonlySet<string>;
  firstTerm: string;
  /** Of the heading directly above, and of those around it. */
  heading: About;
  outer: About;
  days: ReadonlySet<number>;
  /** A number that is no price and no year. */
  hasNumber: boolean;
  /** Terms that follow a number. Null: the language writes no spaces. */
  counted: ReadonlySet<string> | null;
  /** A month or a year. */
  hasDate: boolean;
  /** From one time to another. */
  hasTimes: boolean;
  /** Times, days, or that it is closed. */
  hasHours: boolean;
  /** A sum, or that something is free. */
  price: 'sum' | 'free' | null;
  /** Terms of the parts of the sentence that name a sum. */
  priced: ReadonlySet<string>;
  hasDuration: boolean;
};

type About = { topics: Topics; terms: ReadonlySet<string> };

/** A longer statement is not joined with the one before. */
const LONGEST_JOINED = 250;
/** "Nine Spanish students": a number counts one of the words after it. */
const COUNTED_WORDS = 3;

export function factsIn(sources: readonly Source[], lexicon: Lexicon): Fact[] {
  const facts = new Map<string, Fact>();
  for (const source of sources) {
    const statements = joined(told(source, lexicon), lexicon);
    const title = lexicon.termsIn(plain(statements[0]?.headings[0] ?? ''));
    for (const [at, statement] of statements.entries()) {
      // Passages of one file overlap.
      const known = facts.get(statement.text);
      if (known && known.headings.length >= statement.headings.length) continue;
      facts.set(statement.text, {
        ...factOf(statement, source, lexicon),
        isFirst: at === 0,
        title,
      });
    }
  }
  return [...facts.values()];
}

const told = (source: Source, lexicon: Lexicon): Statement[] =>
  statementsIn(source.text, (line) => lexicon.isTitle(line)).filter(
    // Instructions to the agent are not answers.
    ({ text }) => source.name !== null || !lexicon.isInstruction(text),
  );

/** A sentence such as "It is free" belongs to the one before. */
function joined(statements: readonly Statement[], lexicon: Lexicon): Statement[] {
  const all: Statement[] = [];
  for (const statement of statements) {
    const before = all.at(-1);
    const belongs =
      before?.type === 'sentence' &&
      statement.type === 'sentence' &&
      before.headings.join() === statement.headings.join() &&
      before.text.length + statement.text.length < LONGEST_JOINED &&
      lexicon.pronouns.endAtStart(plain(statement.text)) > 0;
    if (belongs) all[all.length - 1] = { ...before, text: `${before.text} ${statement.text}` };
    else all.push(statement);
  }
  return all;
}

function factOf(
  statement: Statement,
  source: Source,
  lexicon: Lexicon,
): Omit<Fact, 'isFirst' | 'title'> {
  const text = plain(statement.text);
  const { headings, columns } = statement;
  const days = lexicon.weekdays.in(statement.text);
  const hasNumber = namesCount(statement.text) || lexicon.numbers.has(text);
  const isFree = lexicon.free.has(text);
  const price = namesPrice(statement.text) ? 'sum' : isFree ? 'free' : null;
  const terms = lexicon.termsIn(text);
  const topics = new Map(lexicon.topicsIn(text, 'told').topics);
  for (const [topic, kinds] of lexicon.topicsIn(plain(keyOf(statement)), 'headed').topics)
    if (!topics.has(topic)) topics.set(topic, kinds);
  if (namesPhone(statement.text)) add(topics, 'contact', 0);
  if (namesEmail(statement.text)) add(topics, 'contact', 1);
  if (price) add(topics, 'price');
  else topics.delete('price');
  // "Open the page" is about no hours.
  const hasDuration = lexicon.durations.has(text);
  const hasHours =
    namesTime(statement.text) ||
    days.size > 0 ||
    (lexicon.numbers.has(text) && !hasDuration) ||
    lexicon.closed.has(text);
  if (!hasHours) topics.delete('hours');
  return {
    ...statement,
    source,
    topics,
    terms,
    firstTerm: terms.values().next().value ?? '',
    heading: aboutIn(`${headings.at(-1) ?? ''} ${columns}`, lexicon),
    outer: aboutIn(headings.slice(0, -1).join(' '), lexicon),
    days,
    hasNumber,
    counted: countedIn(text, lexicon),
    hasDate: namesYear(statement.text) || lexicon.months.test(statement.text),
    hasTimes: namesTimes(statement.text),
    hasHours,
    price,
    priced: lexicon.termsIn(plain(partsOf(statement.text, lexicon).filter(namesPrice).join(' '))),
    hasDuration,
  };
}

function countedIn(plainText: string, lexicon: Lexicon): Set<string> | null {
  if (lexicon.isUnspaced) return null;
  const words = plainText.trim().split(' ');
  const counted = words.flatMap((word, at) =>
    /^\p{N}/u.test(word) || lexicon.numbers.has(` ${word} `)
      ? words.slice(at + 1, at + 1 + COUNTED_WORDS)
      : [],
  );
  return lexicon.termsIn(` ${counted.join(' ')} `);
}

/** Between commas. "..., which costs 60 pounds" belongs to the part before. */
function partsOf(text: string, lexicon: Lexicon): string[] {
  const parts: string[] = [];
  for (const part of text.split(/[,;]\s/)) {
    if (parts.length > 0 && lexicon.questions.endAtStart(plain(part)) > 0)
      parts.push(`${parts.pop()!} ${part}`);
    else parts.push(part);
  }
  return parts;
}

const keyOf = ({ text, type }: Statement): string =>
  type === 'row' ? (/^[^:：]{1,60}(?=[:：])/u.exec(text)?.[0] ?? '') : '';

function aboutIn(text: string, lexicon: Lexicon): About {
  const plainText = plain(text);
  return {
    topics: lexicon.topicsIn(plainText, 'headed').topics,
    terms: lexicon.termsIn(plainText),
  };
}

function add(topics: Map<TopicId, ReadonlySet<number>>, topic: TopicId, kind?: number): void {
  const kinds = topics.get(topic) ?? [];
  topics.set(topic, new Set(kind === undefined ? kinds : [...kinds, kind]));
}
