/* Tables in Markdown as sentences. */
import { readInline } from './inline.ts';

export const isSeparator = (line: string): boolean =>
  line.includes('|') && partsOf(line).every((part) => /^\s*:?-+:?\s*$/.test(part));

/** A row with bars at both ends needs no header to be one. */
export const isRow = (line: string): boolean => /^\s*\|.*\|\s*$/.test(line);

export const cellsOf = (line: string): string[] =>
  partsOf(line).map((part) => readInline(part.replaceAll('\\|', '|')).trim());

const partsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/);

/** The cells with their headings. Empty for a row without text. */
export function readRow(headings: readonly string[], cells: readonly string[]): string {
  const parts = cells.flatMap((cell, i) => {
    if (!/[\p{L}\p{N}]/u.test(cell)) return [];
    const heading = headings[i] ?? '';
    return [heading === '' ? cell : `${heading.replace(/[:.]$/, '')}: ${cell}`];
  });
  const sentence = parts.map((part) => part.replace(/[.;,]$/, '')).join(', ');
  return sentence === '' || /[!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
