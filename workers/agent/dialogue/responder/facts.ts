/* What each statement of the agent's texts is about. */
import type { Lexicon, Topics } from './lexicon.ts';
import type { TopicId } from './language.ts';
import { plain } from './plain-text.ts';
import { namesEmail, namesNumber, namesPhone, namesPrice, namesTime } from './signs.ts';
import { statementsIn, type Statement } from './statements.ts';

/** A text to quote. `name` null: the agent's prompt. */
export type Source = { name: string | null; text: string };

export type Fact = Statement & {
  source: Source;
  /** Of its passage. */
  isFirst: boolean;
  topics: Topics;
  terms: ReadonlySet<string>;
  firstTerm: string;
  /** Of the heading directly above, and of those around it. */
  heading: About;
  outer: About;
  days: ReadonlySet<number>;
  hasNumber: boolean;
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

export function factsIn(sources: readonly Source[], lexicon: Lexicon): Fact[] {
  const facts = new Map<string, Fact>();
  for (const source of sources) {
    for (const [at, statement] of joined(told(source, lexicon), lexicon).entries()) {
      // Passages of one file overlap.
      const known = facts.get(statement.text);
      if (known && known.headings.length >= statement.headings.length) continue;
      facts.set(statement.text, {
        ...factOf(statement, source, lexicon),
        isFirst: at === 0,
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

function factOf(statement: Statement, source: Source, lexicon: Lexicon): Omit<Fact, 'isFirst'> {
  const text = plain(statement.text);
  const { headings, columns } = statement;
  const days = lexicon.weekdays.in(statement.text);
  const hasNumber = namesNumber(statement.text) || lexicon.numbers.has(text);
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
  const hasHours =
    namesTime(statement.text) ||
    days.size > 0 ||
    lexicon.numbers.has(text) ||
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
    hasHours,
    price,
    priced: lexicon.termsIn(
      plain(
        statement.text
          .split(/[,;]\s/)
          .filter(namesPrice)
          .join(' '),
      ),
    ),
    hasDuration: lexicon.durations.has(text),
  };
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
