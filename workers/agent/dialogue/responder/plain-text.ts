/* Texts without accents, capitals and punctuation, and their words. */

const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

/** Letters that have no accent to take away. */
const LETTERS: Record<string, string> = { ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', œ: 'oe', ı: 'i' };

/** Words between single spaces, with one before and after: ` what s new `. */
export const plain = (text: string): string =>
  ` ${folded(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

/** Skips the normalization, which costs more than the rest, for most text. */
const ASCII = /^[\t-~]*$/;

/** Keeps the marks of Japanese syllables, which are no accents. */
export const folded = (text: string): string =>
  ASCII.test(text) ? text.toLowerCase() : unaccented(text);

const unaccented = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[ßłøæœı]/g, (letter) => LETTERS[letter]!);

/** Of a plain text. */
export const wordsOf = (plainText: string, tag: string): string[] =>
  plainText
    .split(' ')
    .filter((word) => word !== '')
    .flatMap((word) => (UNSPACED.test(word) ? segmentsOf(word, tag) : word));

export const isUnspaced = (tag: string): boolean => tag === 'ja' || tag === 'zh';

const segmenters = new Map<string, Intl.Segmenter>();

function segmentsOf(text: string, tag: string): string[] {
  const segmenter = segmenters.get(tag) ?? new Intl.Segmenter(tag, { granularity: 'word' });
  segmenters.set(tag, segmenter);
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
