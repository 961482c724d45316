/* Splits a file's text into overlapping passages, cut at paragraphs, sentences or words. */

import { charBorder } from '#shared/char-border.ts';

/** Target length of a passage and of its overlap with the one before, in characters. */
export const PASSAGE_CHARS = 800;
const OVERLAP_CHARS = 120;

/**
 * Best kind first. The cut is the last border of the first kind found in a passage's second half.
 */
const BORDERS = [/\n\s*\n/g, /[.!?…]["'”’»)\]]*\s+|[。！？]/g, /\n/g, /[;:,]\s+/g, /\s+/g];

/**
 * Version of the splitting. Raise it with any change to it, to discard stored vectors of other
 * passages.
 */
export const CUT = 1;

export type Passage = { source: string; text: string };

/** Lazy, in order. */
export function* passagesOf(source: string, content: string): Generator<Passage> {
  let from = 0;
  while (from < content.length) {
    const end = endOf(content, from);
    const text = content.slice(from, end).trim();
    if (text !== '') yield { source, text };
    if (end >= content.length) return;
    from = startAfter(content, from, end);
  }
}

function endOf(content: string, from: number): number {
  if (content.length - from <= PASSAGE_CHARS) return content.length;
  const half = from + PASSAGE_CHARS / 2;
  const window = content.slice(half, from + PASSAGE_CHARS);
  for (const border of BORDERS) {
    const match = [...window.matchAll(border)].at(-1);
    if (match) return half + match.index + match[0].length;
  }
  return charBorder(content, from + PASSAGE_CHARS);
}

/** Starts a passage with about the last sentence of the one before. */
function startAfter(content: string, from: number, end: number): number {
  const at = Math.max(from + 1, end - OVERLAP_CHARS);
  const tail = content.slice(at, end);
  for (const border of BORDERS.slice(1)) {
    const match = tail.matchAll(border).next().value;
    if (match && match.index + match[0].length < tail.length)
      return at + match.index + match[0].length;
  }
  return end;
}
