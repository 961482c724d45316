/* Signs in the words before a pause of how the sentence stands, beside the sound of the voice. */
import { turnWordsOf } from './turn-words.ts';
import type { Transcript } from './transcript.ts';
import { wordsOf } from './words.ts';

export type SentenceEnd = 'finished' | 'unfinished' | 'unclear';

/** Of a spoken phone number: more digits may follow a pause. */
const MOST_DIGITS = 10;
/** "Yes, it is" ends with a word that ends few longer sentences. */
const SHORT_REPLY = 3;
const DIGITS = /^\d+$/;
/** Recognisers often mishear a word that is less probable: "if that?" for "if the". */
const CERTAIN = 0.75;

/** Recognisers end a text with a full stop readily, so the last word counts more. */
export function sentenceEnd({ text, certainty }: Transcript, language: string): SentenceEnd {
  const { openings, danglings, mishearings, subordinators, numberWords } = turnWordsOf(language);
  const words = wordsOf(text, language);
  const lastWord = words.at(-1);
  if (lastWord === undefined) return 'unclear';
  if (openings.has(lastWord) || isNumberBegun(words, numberWords)) return 'unfinished';
  if (words.length > 2 && subordinators.has(words.at(-2)!)) return 'unfinished';
  if (certainty >= CERTAIN && /[?？]\s*$/.test(text)) return 'finished';
  const isShort = words.length <= SHORT_REPLY;
  if (!isShort && mishearings.has(words.slice(-2).join(' '))) return 'unfinished';
  const isReply = isShort && !words.some((word) => numberWords.has(word));
  if (danglings.has(lastWord) && !isReply) return 'unfinished';
  if (certainty < CERTAIN || /(\.\.\.|…)\s*$/.test(text)) return 'unclear';
  return /[.!。！]\s*$/.test(text) ? 'finished' : 'unclear';
}

/** "My number is 0 1 7": a number is announced, and has few digits so far. */
function isNumberBegun(words: readonly string[], numberWords: ReadonlySet<string>): boolean {
  const isDigits = (word: string): boolean => DIGITS.test(word) || numberWords.has(word);
  let from = words.length;
  while (from > 0 && isDigits(words[from - 1]!)) from--;
  const digits = words.slice(from);
  const digitCount = digits.reduce((sum, word) => sum + (DIGITS.test(word) ? word.length : 1), 0);
  const isAnnounced = words
    .slice(Math.max(0, from - 4), from)
    .some((word) => numberWords.has(word));
  return digits.length > 0 && digitCount < MOST_DIGITS && (isAnnounced || digits.length >= 3);
}
