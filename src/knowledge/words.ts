const MAX_WORD = 40;

const WORD = /[\p{L}\p{N}]+/gu;
/** Scripts that put no blanks between words: two letters are the next best thing to one. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;

/** Of a text, in order, as they are compared: small, without accents and plural, and without what every English sentence has. */
export function wordsOf(text: string): string[] {
  const plain = (ASCII.test(text) ? text : unaccented(text)).toLowerCase();
  return (plain.match(WORD) ?? []).flatMap((word) => {
    if (UNSPACED.test(word)) return pairsOf(word);
    return COMMON.has(word) ? [] : singular(word).slice(0, MAX_WORD);
  });
}

/** Most text needs none of it, and it takes longer than all the rest. */
const ASCII = /^[\t-~]*$/;

const unaccented = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '');

/** Who asks for a price finds prices; a word that only looks like a plural is changed alike everywhere. */
const singular = (word: string): string =>
  word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;

function pairsOf(word: string): string[] {
  const letters = Array.from(word);
  if (letters.length === 1) return letters;
  return letters.slice(1).map((letter, at) => letters[at]! + letter);
}

const COMMON = new Set(
  'a an and are as at be but by can do does for from has have he her his how i if in is it its me my not of on or our she so than that the their them there they this to us was we were what when where which who why will with you your'.split(
    ' ',
  ),
);
