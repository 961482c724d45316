import MiniSearch from 'minisearch';
import type { Passage } from './chunks.ts';
import { wordsOf } from './words.ts';

/** Minimum score of a result, as a share of the best score. */
const MIN_SHARE = 0.25;

/** Occurrences searched per question, rare words first: common words cost most and say least. */
const MAX_OCCURRENCES = 2_000;

/** An unknown word of at least this length is matched as a prefix and with one typo. */
const MIN_FUZZY_LENGTH = 5;

/** Searches passages by words (BM25). */
export class WordIndex {
  readonly #passages: Passage[] = [];
  /** Number of passages that contain a word. */
  readonly #frequencies = new Map<string, number>();
  #adding: { text: string; words: string[] } = { text: '', words: [] };
  readonly #index = new MiniSearch<{ id: number; text: string }>({
    fields: ['text'],
    // `add` has the words already.
    tokenize: (text) => (text === this.#adding.text ? this.#adding.words : wordsOf(text)),
    processTerm: (word) => word,
    searchOptions: {
      tokenize: (question) => this.#rarestWords(question),
      prefix: (word) => this.#isFuzzy(word),
      fuzzy: (word) => (this.#isFuzzy(word) ? 1 : false),
    },
  });

  get length(): number {
    return this.#passages.length;
  }

  add(passage: Passage): void {
    // Includes the file's name, which often holds its subject.
    const text = `${passage.source}\n${passage.text}`;
    const words = wordsOf(text);
    for (const word of new Set(words)) {
      this.#frequencies.set(word, (this.#frequencies.get(word) ?? 0) + 1);
    }
    this.#adding = { text, words };
    this.#index.add({ id: this.#passages.length, text });
    this.#passages.push(passage);
  }

  /** Passages are numbered from 0 in the order of `add`. */
  passage(at: number): Passage {
    return this.#passages[at]!;
  }

  /** Numbers of the best passages, best first. */
  find(question: string, limit: number): number[] {
    const results = this.#index.search(question).slice(0, limit);
    const minScore = MIN_SHARE * (results[0]?.score ?? 0);
    return results.filter(({ score }) => score >= minScore).map(({ id }) => id as number);
  }

  /**
   * The question's rarest words up to `MAX_OCCURRENCES`, with at least one known word if there is
   * any.
   */
  #rarestWords(question: string): string[] {
    const rarestFirst = [...new Set(wordsOf(question))]
      .map((word) => ({ word, frequency: this.#frequencies.get(word) ?? 0 }))
      .toSorted((a, b) => a.frequency - b.frequency);
    let occurrences = 0;
    const rarest = rarestFirst.filter(({ frequency }, at) => {
      occurrences += frequency;
      return at === 0 || occurrences <= MAX_OCCURRENCES;
    });
    const hasKnown = rarest.some(({ frequency }) => frequency > 0);
    const rarestIndexed = rarestFirst.find(({ frequency }) => frequency > 0);
    return [...rarest, ...(hasKnown || !rarestIndexed ? [] : [rarestIndexed])].map(
      ({ word }) => word,
    );
  }

  #isFuzzy(word: string): boolean {
    return word.length >= MIN_FUZZY_LENGTH && !this.#frequencies.has(word);
  }
}
