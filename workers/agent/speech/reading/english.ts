/*
 * Reads English as people say it: numbers, dates, times, money, units, abbreviations and addresses
 * become words. For voices without rules of their own.
 */
import { ABBREVIATED } from './abbreviations.ts';
import { ADDRESSES } from './addresses.ts';
import { AMOUNTS } from './amounts.ts';
import { dates } from './dates.ts';
import { readPieces, type Piece, type Rule } from './piece.ts';

const rulesOf = (isDayFirst: boolean): readonly Rule[] => [
  ...ADDRESSES,
  ...dates(isDayFirst),
  ...ABBREVIATED,
  ...AMOUNTS,
];
const AMERICAN = rulesOf(false);
const OTHER = rulesOf(true);

/** The parts of a text, which add up to it. `language`: such as `en-GB`. */
export function piecesOf(text: string, language = 'en'): Piece[] {
  const pieces = readPieces(text, /^en(?:-US)?$/i.test(language) ? AMERICAN : OTHER);
  const last = pieces.at(-1);
  // The full stop of an abbreviation ends the sentence too.
  if (last?.written.endsWith('.') && /\w$/.test(last.spoken)) last.spoken += '.';
  return pieces;
}

export const readEnglish = (text: string, language?: string): string =>
  piecesOf(text, language)
    .map(({ spoken }) => spoken)
    .join('');
