/* Finds phrases in plain text, the longest first, so that "gift card" is no card. */
import { isUnspaced, plain } from './plain-text.ts';

type Phrase<Id> = {
  id: Id;
  parts: string[];
  length: number;
  /** Only a text with this start of a word may hold the phrase; null: any may. */
  start: string | null;
};

export type Taken<Id> = { ids: Set<Id>; rest: string };

/** In characters, for the words that `~` stands for. */
const LONGEST_GAP = 30;
/** Letters of a start. */
const START = 3;

export class PhraseList<Id> {
  /** By their starts, with their places in the order of length. */
  readonly #byStart = new Map<string | null, { place: number; phrase: Phrase<Id> }[]>();
  readonly #spaced: boolean;

  /** Lists of phrases as in `language.ts`. */
  constructor(tag: string, lists: Iterable<readonly [Id, string]>) {
    this.#spaced = !isUnspaced(tag);
    const phrases = [...lists]
      .flatMap(([id, list]) => list.split(',').map((phrase) => this.#compiled(id, phrase.trim())))
      .filter(({ length }) => length > 0)
      .toSorted((a, b) => b.length - a.length);
    for (const [place, phrase] of phrases.entries())
      this.#byStart.set(phrase.start, [
        ...(this.#byStart.get(phrase.start) ?? []),
        { place, phrase },
      ]);
  }

  /** Which phrases the plain text holds, and the text without them. */
  take(plainText: string): Taken<Id> {
    const ids = new Set<Id>();
    let rest = plainText;
    for (const { id, parts } of this.#possibleIn(plainText)) {
      const without = this.#without(rest, parts);
      if (without === null) continue;
      ids.add(id);
      rest = without;
    }
    return { ids, rest };
  }

  has(plainText: string): boolean {
    return this.#possibleIn(plainText).some(
      ({ parts }) => this.#without(plainText, parts) !== null,
    );
  }

  /** Where the longest phrase at the start of the plain text ends; 0 if none is there. */
  endAtStart(plainText: string): number {
    const phrase = this.#possibleIn(plainText).find(
      ({ parts }) => parts.length === 1 && this.#isAtStart(plainText, parts[0]!),
    );
    return phrase ? phrase.parts[0]!.trimEnd().length : 0;
  }

  #isAtStart(plainText: string, part: string): boolean {
    return plainText.startsWith(this.#spaced ? part : ` ${part}`);
  }

  #compiled(id: Id, phrase: string): Phrase<Id> {
    const parts = phrase
      .split('~')
      .filter((part) => part !== '')
      .map((part) => {
        const words = plain(part).trim();
        if (!this.#spaced) return words;
        return `${part.startsWith('*') ? '' : ' '}${words}${part.endsWith('*') ? '' : ' '}`;
      })
      .filter((part) => part.trim() !== '');
    const length = parts.reduce((sum, part) => sum + part.trim().length, 0);
    return { id, parts, length, start: this.#startOf(parts[0] ?? '') };
  }

  #startOf(part: string): string | null {
    if (!this.#spaced) return part.slice(0, 1);
    if (!part.startsWith(' ')) return null;
    const [word = '', ...more] = part.slice(1).split(' ');
    const start = (more.length > 0 ? `${word} ` : word).slice(0, START);
    // A short word with any rest may begin in many ways.
    return start.length < START && more.length === 0 ? null : start;
  }

  #possibleIn(plainText: string): Phrase<Id>[] {
    const starts = this.#spaced
      ? new Set(plainText.split(' ').map((word) => `${word} `.slice(0, START)))
      : new Set(plainText);
    return [null, ...starts]
      .flatMap((start) => this.#byStart.get(start) ?? [])
      .toSorted((a, b) => a.place - b.place)
      .map(({ phrase }) => phrase);
  }

  /** Null if the phrase does not occur. */
  #without(text: string, parts: readonly string[]): string | null {
    const spans: { from: number; to: number }[] = [];
    let at = 0;
    for (const part of parts) {
      const from = text.indexOf(part, at);
      if (from < 0 || (spans.length > 0 && from - at > LONGEST_GAP)) return null;
      // The space after a part may be the one before the next.
      at = from + part.trimEnd().length;
      spans.push(this.#wordsAt(text, from, from + part.length));
    }
    return spans.reduceRight(
      (rest, { from, to }) => `${rest.slice(0, from)} ${rest.slice(to)}`,
      text,
    );
  }

  /** The whole words, without the spaces around them. */
  #wordsAt(text: string, from: number, to: number): { from: number; to: number } {
    if (!this.#spaced) return { from, to };
    const start = text[from] === ' ' ? from + 1 : text.lastIndexOf(' ', from) + 1;
    const end = text[to - 1] === ' ' ? to - 1 : text.indexOf(' ', to);
    return { from: start, to: end };
  }
}
