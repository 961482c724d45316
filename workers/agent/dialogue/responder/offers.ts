/* What the agent offers to tell when it cannot answer. */
import type { Fact } from './facts.ts';
import type { TopicId } from './language.ts';
import type { Lexicon, Topics } from './lexicon.ts';
import { aboutTopic, type Question } from './question.ts';
import { Search } from './search.ts';

const MAX_LISTED = 3;
/** In words. A longer heading is no name of a subject. */
const LONGEST_NAME = 4;
/** A fact with less has too little in common with a question. */
const NEAR = 0.3;

export class Offers {
  readonly #facts: readonly Fact[];
  readonly #search: Search;
  readonly #lexicon: Lexicon;
  /** Headings of whole files. */
  readonly #titles: ReadonlySet<string>;

  constructor(facts: readonly Fact[], search: Search, lexicon: Lexicon) {
    this.#facts = facts;
    this.#search = search;
    this.#lexicon = lexicon;
    this.#titles = new Set(
      facts
        .filter(({ isFirst, source }) => isFirst && source.name !== null)
        .flatMap(({ headings }) => headings.slice(0, 1)),
    );
  }

  /** Name of the subject nearest to the question; null if none is near. */
  nearest(question: Question): string | null {
    for (const topic of question.topics.keys())
      if (this.#isKnown(topic)) return this.#nameOf(topic);
    const [best] = this.#search.best(question);
    if (!best || best.score < NEAR) return null;
    const topic = [...best.fact.heading.topics.keys()].find((each) => this.#isKnown(each));
    return topic === undefined ? this.#headingOf(best.fact) : this.#nameOf(topic);
  }

  /** As in "opening hours, parking and prices"; null if there is none. */
  list(): string | null {
    const ofHeadings = this.#topicsOf(({ heading }) => heading.topics);
    const others = this.#topicsOf(({ topics }) => topics);
    const headings = this.#facts
      .filter(({ heading }) => heading.topics.size === 0)
      .flatMap((fact) => this.#headingOf(fact) ?? []);
    const names = [...ofHeadings.map(this.#nameOf), ...headings, ...others.map(this.#nameOf)];
    const offered = [...new Set(names)].slice(0, MAX_LISTED);
    if (offered.length === 0) return null;
    const format = new Intl.ListFormat(this.#lexicon.language.tag, { type: 'conjunction' });
    return format.format(offered);
  }

  #topicsOf(topicsIn: (fact: Fact) => Topics): TopicId[] {
    const topics = new Set(this.#facts.flatMap((fact) => [...topicsIn(fact).keys()]));
    return this.#lexicon.topicIds.filter((topic) => topics.has(topic) && this.#isKnown(topic));
  }

  #isKnown(topic: TopicId): boolean {
    return this.#search.answer(aboutTopic(topic)) !== null;
  }

  readonly #nameOf = (topic: TopicId): string => this.#lexicon.language.topics[topic].name;

  /** Null for a question, and for the title of all. */
  #headingOf(fact: Fact): string | null {
    const heading = fact.headings.findLast((heading) => !/[?？]$/.test(heading));
    if (heading === undefined || heading.split(/\s+/).length > LONGEST_NAME) return null;
    if (this.#titles.has(heading) || fact.heading.terms.size === 0) return null;
    return /\p{Ll}/u.test(heading) ? heading : heading.toLowerCase();
  }
}
