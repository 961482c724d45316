/* What a language's data says of a text: its topics, words, days and kind of question. */
import { baseLanguage } from '#protocol/languages.ts';
import type { Intent, Language, QuestionKind, TopicId } from './language.ts';
import { LANGUAGES } from './languages/languages.ts';
import { PhraseList } from './phrase-list.ts';
import { isUnspaced, plain, wordsOf } from './plain-text.ts';
import { Weekdays } from './weekdays.ts';

/** Topics, each with the numbers of its kinds that are named. */
export type Topics = ReadonlyMap<TopicId, ReadonlySet<number>>;

/** Words in hiragana alone are mostly endings and particles. */
const NUMBER_OR_ENDING = /^(?:\p{N}.*|\p{sc=Hiragana}+)$/u;

/** A question, a statement, or a heading of statements. */
type TextKind = 'asked' | 'told' | 'headed';

/** Shorter words are not shortened. */
const SHORTEST_STEM = 3;
const SURE_STEM = 4;
/** In words. */
const MOST_OF_TITLE = 5;

export class Lexicon {
  readonly language: Language;
  readonly isUnspaced: boolean;
  readonly weekdays: Weekdays;
  readonly kinds: PhraseList<QuestionKind>;
  readonly smallTalk: PhraseList<Intent>;
  readonly questions: PhraseList<true>;
  readonly #followUps: PhraseList<true>;
  readonly #and: ReadonlySet<string>;
  readonly pronouns: PhraseList<true>;
  readonly today: PhraseList<'today' | 'tomorrow'>;
  readonly numbers: PhraseList<true>;
  readonly durations: PhraseList<true>;
  readonly free: PhraseList<true>;
  readonly closed: PhraseList<true>;
  readonly months: RegExp;
  readonly #instructions: PhraseList<true>;
  readonly #topics: Record<TextKind, PhraseList<TopicKind>>;
  readonly #fillers: ReadonlySet<string>;
  readonly #places: ReadonlySet<string>;
  readonly #forms: ReadonlyMap<string, string>;
  readonly #endings: readonly string[];

  constructor(language: Language) {
    const { tag } = language;
    const list = (phrases: string) => new PhraseList<true>(tag, [[true, phrases]]);
    this.language = language;
    this.isUnspaced = isUnspaced(tag);
    this.weekdays = new Weekdays(language);
    this.kinds = new PhraseList(tag, entriesOf(language.kinds));
    this.smallTalk = new PhraseList(tag, entriesOf(language.smallTalk));
    this.questions = list(language.questions);
    this.#followUps = list(language.followUps);
    this.#and = new Set(language.and.split(',').map((word) => word.trim()));
    this.pronouns = list(language.pronouns);
    this.today = new PhraseList<'today' | 'tomorrow'>(tag, [
      ['today', language.today],
      ['tomorrow', language.tomorrow],
    ]);
    this.numbers = list(language.numbers);
    this.durations = list(language.durations);
    this.free = list(language.free);
    this.closed = list(language.closed);
    this.months = monthsOf(tag);
    this.#instructions = list(language.instructions);
    this.#topics = {
      asked: new PhraseList(tag, topicPhrases(language, ['asked', 'headed'])),
      told: new PhraseList(tag, topicPhrases(language, ['told'])),
      headed: new PhraseList(tag, topicPhrases(language, ['told', 'headed'])),
    };
    this.#fillers = new Set(language.fillers.split(' ').flatMap((word) => plain(word).trim()));
    this.#endings = language.endings.split(' ').filter((ending) => ending !== '');
    this.#forms = new Map(
      (language.forms ?? '')
        .split(' ')
        .filter((form) => form !== '')
        .map((form) => form.split('=') as [string, string]),
    );
    this.#places = new Set(
      language.places.split(' ').map((word) => this.#stem(plain(word).trim())),
    );
  }

  /** With the rest of the plain text. */
  topicsIn(plainText: string, as: TextKind): { topics: Topics; rest: string } {
    const { ids, rest } = this.#topics[as].take(plainText);
    const topics = new Map<TopicId, Set<number>>();
    for (const { topic, kind } of ids) {
      const kinds = topics.get(topic) ?? new Set();
      if (kind !== null) kinds.add(kind);
      topics.set(topic, kinds);
    }
    return { topics, rest };
  }

  /** Words that say something, without their endings. */
  termsIn(plainText: string): Set<string> {
    const words = wordsOf(plainText, this.language.tag);
    return new Set(words.filter((word) => !this.isFiller(word)).map((word) => this.#stem(word)));
  }

  /** Terms with a capital letter, apart from the first word. */
  namesIn(text: string): Set<string> {
    if (this.language.hasCapitalNouns) return new Set();
    const names = [...text.matchAll(/(?<=\p{L}.*)(?<!\p{L})\p{Lu}\p{L}+/gu)];
    return this.termsIn(plain(names.join(' ')));
  }

  /** Sentences after each other. */
  joined(sentences: readonly string[]): string {
    return sentences.filter((text) => text !== '').join(this.isUnspaced ? '' : ' ');
  }

  /** By its accents: `e` joins in Italian, and `è` does not. */
  isAnd(word: string): boolean {
    return this.#and.has(word.toLowerCase());
  }

  /** Where a start such as "and what about" ends; 0 if there is none. */
  followUpEnd(text: string): number {
    const isAccented = /^[^\p{L}]{0,3}[èé](?!\p{L})/iu.test(text);
    return isAccented ? 0 : this.#followUps.endAtStart(plain(text));
  }

  /** The things that "and" joins. */
  split(text: string): string[] {
    const words = text.split(/(?<=[,，、])|\s+/u);
    const things: string[][] = [[]];
    for (const word of words) {
      if (this.isAnd(word)) things.push([]);
      else things.at(-1)!.push(word);
    }
    return things.map((thing) => thing.join(' ')).filter((thing) => thing !== '');
  }

  get topicIds(): TopicId[] {
    return entriesOf(this.language.topics).map(([topic]) => topic);
  }

  isFiller(word: string): boolean {
    return this.#fillers.has(word) || NUMBER_OR_ENDING.test(word);
  }

  /** Whether a term stands for the business itself. */
  isPlace(term: string): boolean {
    return this.#places.has(term);
  }

  /** Whether a line alone is no sentence: nothing in it asks or says that something is so. */
  isTitle(line: string): boolean {
    const words = plain(line).trim().split(' ');
    return (
      words.length <= MOST_OF_TITLE &&
      !words.slice(1).some((word) => this.questions.has(` ${word} `))
    );
  }

  /** Whether a sentence of a prompt tells the agent what to do. */
  isInstruction(sentence: string): boolean {
    return this.#instructions.endAtStart(plain(sentence)) > 0;
  }

  /** Whether two words without endings are forms of one. */
  areAlike(term: string, otherTerm: string): boolean {
    if (term === otherTerm) return true;
    if (this.isUnspaced || Math.min(term.length, otherTerm.length) < 5) return false;
    return term.startsWith(otherTerm) || otherTerm.startsWith(term);
  }

  #stem(word: string): string {
    const form = this.#forms.get(word);
    if (form !== undefined) return this.#stem(form);
    let stem = word;
    for (let times = 0; times < 2; times += 1) {
      const ending = this.#endings.find(
        (ending) =>
          stem.endsWith(ending) &&
          stem.length - ending.length >= (ending.length === 1 ? SHORTEST_STEM : SURE_STEM),
      );
      if (ending === undefined) break;
      stem = stem.slice(0, -ending.length);
    }
    // `stopped` becomes `stop`.
    return stem.length > SHORTEST_STEM && stem.at(-1) === stem.at(-2) ? stem.slice(0, -1) : stem;
  }
}

/** Their names, also as they stand beside a day. */
function monthsOf(tag: string): RegExp {
  const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 1));
  const names = [{}, { day: 'numeric' } as const].flatMap((day) => {
    const format = new Intl.DateTimeFormat(tag, { month: 'long', timeZone: 'UTC', ...day });
    return months.map((at) => format.formatToParts(at).find(({ type }) => type === 'month')!.value);
  });
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${names.join('|')})(?!\\p{L})`, 'u');
}

type TopicKind = { topic: TopicId; kind: number | null };

function* topicPhrases(
  { topics }: Language,
  texts: readonly TextKind[],
): Generator<readonly [TopicKind, string]> {
  for (const [topic, { words, kinds, ...more }] of entriesOf(topics)) {
    yield [{ topic, kind: null }, [words, ...texts.map((text) => more[text] ?? '')].join(',')];
    for (const [kind, list] of (kinds ?? []).entries()) yield [{ topic, kind }, list];
  }
}

const entriesOf = <Key extends string, Value>(record: Record<Key, Value>): [Key, Value][] =>
  Object.entries(record) as [Key, Value][];

const lexicons = new Map<Language, Lexicon>();

/** Languages not listed use English. */
export function lexiconOf(tag: string): Lexicon {
  const language = LANGUAGES[baseLanguage(tag)] ?? LANGUAGES['en']!;
  const lexicon = lexicons.get(language) ?? new Lexicon(language);
  lexicons.set(language, lexicon);
  return lexicon;
}
