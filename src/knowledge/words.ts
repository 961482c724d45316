const MAX_WORD = 40;

const WORD = /[\p{L}\p{N}]+/gu;
/** Scripts without spaces between words, indexed as pairs of letters. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;

/**
 * The words of a text, in order and normalized: lower case, without accents, plural `s` and stop
 * words.
 */
export function wordsOf(text: string): string[] {
  const plain = (ASCII.test(text) ? text : unaccented(text)).toLowerCase();
  return (plain.match(WORD) ?? []).flatMap((word) => {
    if (UNSPACED.test(word)) return pairsOf(word);
    return STOP_WORDS.has(word) ? [] : singular(word).slice(0, MAX_WORD);
  });
}

/** Skips the normalization, which costs more than the rest, for most text. */
const ASCII = /^[\t-~]*$/;

const unaccented = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '');

/** A question and a passage are shortened alike, so a wrong plural does no harm. */
const singular = (word: string): string =>
  word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;

function pairsOf(word: string): string[] {
  const letters = Array.from(word);
  if (letters.length === 1) return letters;
  return letters.slice(1).map((letter, at) => letters[at]! + letter);
}

const STOP_WORDS = new Set(
  'a an and are as at be but by can do does for from has have he her his how i if in is it its me my not of on or our she so than that the their them there they this to us was we were what when where which who why will with you your'.split(
    ' ',
  ),
);
