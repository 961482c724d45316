import MiniSearch from 'minisearch';
import type { Passage } from './chunks.ts';
import { wordsOf } from './words.ts';

/** How far behind the best one a passage may be and still be told. */
const LEAST_SHARE = 0.25;

/** How many places of words are looked at for one question: rare words say most, and common ones cost most. */
const MOST_PLACES = 2_000;

/** An unknown word of this length may be one that is misspelt, or a part of one. */
const MIN_GUESSED = 5;

/** Passages by their words (BM25). */
export class WordIndex {
  readonly #passages: Passage[] = [];
  /** In how many passages a word is. */
  readonly #places = new Map<string, number>();
  #adding: { said: string; words: string[] } = { said: '', words: [] };
  readonly #index = new MiniSearch<{ id: number; text: string }>({
    fields: ['text'],
    // Once a passage, for both.
    tokenize: (said) => (said === this.#adding.said ? this.#adding.words : wordsOf(said)),
    processTerm: (word) => word,
    searchOptions: {
      tokenize: (question) => this.#tellingWords(question),
      prefix: (word) => this.#isGuessed(word),
      fuzzy: (word) => (this.#isGuessed(word) ? 1 : false),
    },
  });

  get length(): number {
    return this.#passages.length;
  }

  add(passage: Passage): void {
    const { source, text } = passage;
    // What a file is about often stands in its name only.
    const said = `${source}\n${text}`;
    const words = wordsOf(said);
    for (const word of new Set(words)) {
      this.#places.set(word, (this.#places.get(word) ?? 0) + 1);
    }
    this.#adding = { said, words };
    this.#index.add({ id: this.#passages.length, text: said });
    this.#passages.push(passage);
  }

  /** In the order in which they were added, from 0 on. */
  passage(at: number): Passage {
    return this.#passages[at]!;
  }

  /** Which passages, best first. */
  find(question: string, limit: number): number[] {
    const results = this.#index.search(question).slice(0, limit);
    const least = LEAST_SHARE * (results[0]?.score ?? 0);
    return results.filter(({ score }) => score >= least).map(({ id }) => id as number);
  }

  /** The rarest of the question's words, and at least one. */
  #tellingWords(question: string): string[] {
    const rarestFirst = [...new Set(wordsOf(question))]
      .map((word) => ({ word, places: this.#places.get(word) ?? 0 }))
      .toSorted((a, b) => a.places - b.places);
    let places = 0;
    const telling = rarestFirst.filter((each, at) => {
      places += each.places;
      return at === 0 || places <= MOST_PLACES;
    });
    // One that nobody knows says nothing by itself.
    const isKnown = telling.some((each) => each.places > 0);
    const known = rarestFirst.find((each) => each.places > 0);
    return [...telling, ...(isKnown || !known ? [] : [known])].map(({ word }) => word);
  }

  #isGuessed(word: string): boolean {
    return word.length >= MIN_GUESSED && !this.#places.has(word);
  }
}
