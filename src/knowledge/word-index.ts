/*
 * Searches passages by words (BM25). Postings are kept in typed arrays, and distinct words are
 * limited: what words cost most are those that occur once, and random ones can fill any tree.
 */
import type { Passage } from './chunks.ts';
import { Postings } from './postings.ts';
import { isWithinOneTypo } from './spelling.ts';
import { wordsOf } from './words.ts';

/** Minimum score of a result, as a share of the best score. */
const MIN_SHARE = 0.25;

/** Occurrences searched per question, rare words first: common words cost most and say least. */
const MAX_OCCURRENCES = 2_000;

/** An unknown word of at least this length is matched as a prefix and with one typo. */
const MIN_FUZZY_LENGTH = 5;
/** Unknown words of a question that are matched so: each is compared with all words. */
const MAX_FUZZY_WORDS = 8;
/** Occurrences of the words that are like one of them, rare words first. */
const MAX_ALIKE_OCCURRENCES = 10_000;
const PREFIX_WEIGHT = 0.375;
const TYPO_WEIGHT = 0.45;

/** The library of a large company has fewer. Words beyond it are not searched. */
export const MAX_WORDS = 250_000;

/** Usual parameters of BM25+. */
const [SATURATION, LENGTH_SHARE, MIN_OCCURRENCE] = [1.2, 0.7, 0.5];

/** Longer substrings refer to the whole text of their passage. */
const MAX_COPIED = 12;

type Score = { sum: number; matches: number; lastTerm: number };

export class WordIndex {
  readonly #maxWords: number;
  readonly #passages: Passage[] = [];
  readonly #words = new Map<string, number>();
  readonly #postings = new Postings();
  #omitsWords = false;

  constructor(maxWords = MAX_WORDS) {
    this.#maxWords = maxWords;
  }

  get length(): number {
    return this.#passages.length;
  }

  /** Whether words were left out, because there are too many. */
  get omitsWords(): boolean {
    return this.#omitsWords;
  }

  add(passage: Passage): void {
    // Includes the file's name, which often holds its subject.
    const counts = new Map<number, number>();
    for (const word of wordsOf(`${passage.source}\n${passage.text}`)) {
      const id = this.#idOf(word);
      if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    this.#postings.add(counts);
    this.#passages.push(passage);
  }

  /** Passages are numbered from 0 in the order of `add`. */
  passage(at: number): Passage {
    return this.#passages[at]!;
  }

  /** Numbers of the best passages, best first. */
  find(question: string, limit: number): number[] {
    const scores = new Map<number, Score>();
    const terms = this.#rarestWords(question);
    for (const [term, word] of terms.entries()) {
      const id = this.#words.get(word);
      if (id !== undefined) this.#score(scores, id, term, 1);
    }
    this.#scoreAlike(scores, terms);
    const results = [...scores]
      .map(([at, { sum, matches }]) => ({ at, score: sum * matches }))
      .toSorted((a, b) => b.score - a.score || a.at - b.at)
      .slice(0, limit);
    const minScore = MIN_SHARE * (results[0]?.score ?? 0);
    return results.filter(({ score }) => score >= minScore).map(({ at }) => at);
  }

  #idOf(word: string): number | null {
    const id = this.#words.get(word);
    if (id !== undefined) return id;
    if (this.#words.size >= this.#maxWords) {
      this.#omitsWords = true;
      return null;
    }
    const newId = this.#postings.addWord();
    this.#words.set(word.length > MAX_COPIED ? Buffer.from(word).toString() : word, newId);
    return newId;
  }

  /** Adds what the word contributes. `term`: number of the question's word. */
  #score(scores: Map<number, Score>, word: number, term: number, weight: number): void {
    const postings = this.#postings;
    const [count, frequency] = [postings.passages, postings.frequency(word)];
    const rarity = Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5));
    const average = postings.size / count;
    for (const { passage, count: times } of postings.of(word)) {
      const length = 1 - LENGTH_SHARE + LENGTH_SHARE * (postings.length(passage) / average);
      const occurrence =
        MIN_OCCURRENCE + (times * (SATURATION + 1)) / (times + SATURATION * length);
      const score = scores.get(passage) ?? { sum: 0, matches: 0, lastTerm: -1 };
      score.sum += weight * rarity * occurrence;
      if (score.lastTerm !== term) score.matches += 1;
      score.lastTerm = term;
      scores.set(passage, score);
    }
  }

  /** Scores the words that begin like unknown ones of the question, or differ by a typo. */
  #scoreAlike(scores: Map<number, Score>, terms: readonly string[]): void {
    const unknown = [...terms.entries()]
      .filter(([, word]) => word.length >= MIN_FUZZY_LENGTH && !this.#words.has(word))
      .slice(0, MAX_FUZZY_WORDS)
      .map(([term, word]) => ({ term, word, alike: [] as { id: number; weight: number }[] }));
    if (unknown.length === 0) return;
    for (const [word, id] of this.#words) {
      for (const { word: text, alike } of unknown) {
        if (word.startsWith(text)) {
          const weight = word.length / (word.length + 0.3 * (word.length - text.length));
          alike.push({ id, weight: PREFIX_WEIGHT * weight });
        } else if (isWithinOneTypo(word, text)) {
          alike.push({ id, weight: (TYPO_WEIGHT * word.length) / (word.length + 1) });
        }
      }
    }
    for (const { term, alike } of unknown)
      for (const { id, weight } of this.#rarest(alike)) this.#score(scores, id, term, weight);
  }

  /** Those whose passages are few enough to be searched. */
  #rarest<Item extends { id: number }>(alike: Item[]): Item[] {
    let occurrences = 0;
    return alike
      .toSorted((a, b) => this.#postings.frequency(a.id) - this.#postings.frequency(b.id))
      .filter(({ id }, at) => {
        occurrences += this.#postings.frequency(id);
        return at === 0 || occurrences <= MAX_ALIKE_OCCURRENCES;
      });
  }

  /**
   * The question's rarest words up to `MAX_OCCURRENCES`, with at least one known word if there is
   * any.
   */
  #rarestWords(question: string): string[] {
    const rarestFirst = [...new Set(wordsOf(question))]
      .map((word) => ({ word, frequency: this.#frequencyOf(word) }))
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

  #frequencyOf(word: string): number {
    const id = this.#words.get(word);
    return id === undefined ? 0 : this.#postings.frequency(id);
  }
}
