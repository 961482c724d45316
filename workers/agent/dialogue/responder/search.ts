/* Finds the facts that answer a question. */
import type { Fact } from './facts.ts';
import type { Lexicon } from './lexicon.ts';
import { dayMatch, inHeading, isAnswer, kindMatch, OTHER_KIND, topicMatch, UNSURE } from './fit.ts';
import type { Question } from './question.ts';

/** Scores are shares of what is asked. */
type Found = { fact: Fact; score: number };

/** A fact with less may be about something else. */
const ENOUGH = 0.62;
const NOT_ENOUGH = 0.5;
/** Facts of the same section with this share of the best score are said, too. */
const ALSO = 0.93;
const MAX_SENTENCES = 2;
const MAX_ROWS = 7;
const MAX_LENGTH = 420;

const TOPIC_WEIGHT = 1.5;
const UNKNOWN_WEIGHT = 1.5;
/** Share of the facts that may hold a word that says enough alone. */
const RARE = 0.2;
/** Of what the question before asked, beside the new words. */
const BEFORE = 0.25;
/** A title such as the name of a shop says little of each fact. */
const WORD_OF_OUTER_HEADING = 0.4;
/** Two forms of a word, such as `adjust` and `adjustment`. */
const ALIKE = 0.9;
/** Beside other words. */
const PLACE_WEIGHT = 0.3;
/** A fact below a question that is not the one asked. */
const OTHER_QUESTION = 0.9;
/** For each word of a fact that is not asked for, up to a limit. */
const BESIDE = 0.006;
const MOST_BESIDE = 0.06;
/** A fact that begins with what is asked for, and one that its heading names, too. */
const SUBJECT = 0.05;
const NAMED_TWICE = 0.03;
const MAX_TERMS = 24;

type Asked = {
  weight: number;
  isNew: boolean;
  /** An answer must be about it. */
  isNeeded: boolean;
  matchIn: (fact: Fact) => number;
};

export class Search {
  readonly #facts: readonly Fact[];
  readonly #lexicon: Lexicon;

  constructor(facts: readonly Fact[], lexicon: Lexicon) {
    this.#facts = facts;
    this.#lexicon = lexicon;
  }

  /** What to say; null if no fact answers the question. `before`: the question before it. */
  answer(question: Question, before: Question | null = null): string | null {
    const results = this.best(question, before);
    const top = results[0];
    if (!top || top.score < ENOUGH) return null;
    return before || this.#isSpecific(question, top.fact) ? this.#spoken(results, top) : null;
  }

  /** A word of most facts asks for one that begins with it, such as "Troupe is ...". */
  #isSpecific({ topics, terms }: Question, fact: Fact): boolean {
    if (topics.size > 0 || terms.size > 1 || terms.has(fact.firstTerm)) return true;
    const holding = this.#facts.filter((each) => [...terms].some((term) => each.terms.has(term)));
    return holding.length <= Math.max(2, this.#facts.length * RARE);
  }

  /** Best first. */
  best(question: Question, before: Question | null = null): Found[] {
    const asked = this.#asked(question, before);
    if (asked.length === 0) return [];
    const kind = question.kind ?? before?.kind ?? null;
    const about = {
      ...question,
      kind,
      topics: new Map([...(before?.topics ?? []), ...question.topics]),
    };
    return this.#facts
      .map((fact) => ({ fact, score: this.#score(asked, about, fact) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score);
  }

  #asked(question: Question, before: Question | null): Asked[] {
    const isNewSubject = question.topics.size + question.terms.size > 0;
    const weight = isNewSubject ? BEFORE : 1;
    return [
      ...this.#partsOf(question, 1, true),
      ...(before ? this.#partsOf(before, weight, !isNewSubject) : []),
    ];
  }

  #partsOf(
    { topics, terms, names, kind, isBrief }: Question,
    share: number,
    isNew: boolean,
  ): Asked[] {
    // "How much is the menu" is about the menu, and needs a price.
    const isPriceKind = kind === 'howMuch' && topics.size + terms.size > 1;
    const isAlone = topics.size + terms.size === 1;
    const asked: Asked[] = [...topics]
      .filter(([topic]) => topic !== 'price' || !(isPriceKind || kind === 'howLong'))
      .map(([topic, kinds]) => ({
        weight: share * TOPIC_WEIGHT,
        isNew,
        isNeeded: isNew && topic !== 'price',
        matchIn: (fact) => topicMatch(topic, kinds, fact, isAlone),
      }));
    for (const term of [...terms].slice(0, MAX_TERMS)) {
      const matchIn = (fact: Fact) => this.#termMatch(term, fact, isAlone, isBrief);
      const weight =
        !isAlone && this.#isBusiness(term, terms) ? PLACE_WEIGHT : this.#weightOf(matchIn);
      // "An audio guide in French": no fact names French.
      const isNeeded = isNew && names.has(term) && weight === UNKNOWN_WEIGHT;
      asked.push({ weight: share * weight, isNew, isNeeded, matchIn });
    }
    return asked;
  }

  /** Words that few facts hold say most. */
  #weightOf(matchIn: (fact: Fact) => number): number {
    const count = this.#facts.filter((fact) => matchIn(fact) > 0).length;
    return count === 0 ? UNKNOWN_WEIGHT : 0.5 + (1 - count / this.#facts.length);
  }

  /** Whether the word stands for the business, and not for a part of it. */
  #isBusiness(term: string, askedTerms: ReadonlySet<string>): boolean {
    if (!this.#lexicon.isPlace(term)) return false;
    // "Is there a gym in the hotel" asks for a gym.
    const namesOther = [...askedTerms].some(
      (otherTerm) =>
        otherTerm !== term && this.#lexicon.isPlace(otherTerm) && this.#isNamed(otherTerm),
    );
    return (
      (!this.#isNamed(term) && !namesOther) ||
      this.#facts.some(
        ({ isFirst, terms, title }) => title.has(term) || (isFirst && terms.has(term)),
      )
    );
  }

  #isNamed(term: string): boolean {
    return this.#facts.some(({ terms }) => terms.has(term));
  }

  #termMatch(term: string, fact: Fact, isAlone: boolean, isBrief: boolean): number {
    const { terms, heading, outer } = fact;
    return Math.max(
      this.#likeness(term, terms),
      // "Can we take our food home" is no question for all that stands below "Food".
      (isAlone && !isBrief ? UNSURE : inHeading(fact, isAlone)) *
        this.#likeness(term, heading.terms),
      WORD_OF_OUTER_HEADING * this.#likeness(term, outer.terms),
    );
  }

  #likeness(term: string, terms: ReadonlySet<string>): number {
    if (terms.has(term)) return 1;
    for (const other of terms) if (this.#lexicon.areAlike(term, other)) return ALIKE;
    return 0;
  }

  #score(asked: readonly Asked[], question: Question, fact: Fact): number {
    let [sum, total, most] = [0, 0, 1];
    for (const { weight, isNew, isNeeded, matchIn } of asked) {
      const match = matchIn(fact);
      // A follow-up such as "and a full one?" wants what is new.
      if (match < OTHER_KIND && isNew && asked.some(({ isNew }) => !isNew)) return 0;
      if (match === OTHER_KIND || (isNeeded && match === 0)) most = NOT_ENOUGH;
      sum += weight * match;
      total += weight;
    }
    if (sum === 0) return 0;
    const better =
      (question.terms.has(fact.firstTerm) ? SUBJECT : 0) +
      (this.#isInHeading(question, fact) ? NAMED_TWICE : 0);
    const beside = Math.min(
      MOST_BESIDE,
      BESIDE * Math.max(0, fact.terms.size - question.terms.size),
    );
    const isOther = isAnswer(fact) && !this.#isInHeading(question, fact);
    const share = Math.min(most, sum / total);
    const fit = kindMatch(question, fact, share) * dayMatch(question, fact);
    return (share * (isOther ? OTHER_QUESTION : 1) + better) * fit - beside;
  }

  /** The best fact, and others of its section that are about as good, in their order. */
  #spoken(results: readonly Found[], { fact: best, score }: Found): string {
    const max = best.type === 'row' ? MAX_ROWS : MAX_SENTENCES;
    const section = this.#facts.filter(
      ({ source, type, headings }) =>
        source === best.source && type === best.type && headings.join() === best.headings.join(),
    );
    const scores = new Map(results.map(({ fact, score }) => [fact, score]));
    const good = section.filter(
      (fact) => (scores.get(fact) ?? 0) >= Math.max(ENOUGH, ALSO * score),
    );
    // An answer to a question is said from its start.
    const said = isAnswer(best) && section.indexOf(best) < max ? section : good;
    const text = this.#lexicon.joined(said.slice(0, max).map((fact) => fact.text));
    return text.length > MAX_LENGTH ? best.text : text;
  }

  #isInHeading({ topics, terms }: Question, { heading }: Fact): boolean {
    return (
      [...topics.keys()].some((topic) => heading.topics.has(topic)) ||
      [...terms].some((term) => heading.terms.has(term))
    );
  }
}
