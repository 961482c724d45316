/* The text of a file as passages: short enough to be read out to a model, long enough to say something, cut where a reader would pause. */

/** About how long a passage is, in characters, and how much of the one before it begins with. */
const PASSAGE_CHARS = 800;
const OVERLAP_CHARS = 120;

/** The best place to cut is the last one of the first of these kinds that is there in the second half of a passage. */
const BORDERS = [/\n\s*\n/g, /[.!?…]["'”’»)\]]*\s+|[。！？]/g, /\n/g, /[;:,]\s+/g, /\s+/g];

/** Raise it when files are cut in another way: what is kept of their passages is then made anew. */
export const CUT = 1;

export type Passage = { source: string; text: string };

/** In order. What is not asked for is not cut. */
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
    const last = [...window.matchAll(border)].at(-1);
    if (last) return half + last.index + last[0].length;
  }
  return whole(content, from + PASSAGE_CHARS);
}

/** The last sentence or so of the passage before is the first of the next. */
function startAfter(content: string, from: number, end: number): number {
  const at = Math.max(from + 1, end - OVERLAP_CHARS);
  const tail = content.slice(at, end);
  for (const border of BORDERS.slice(1)) {
    const first = tail.matchAll(border).next().value;
    if (first && first.index + first[0].length < tail.length)
      return at + first.index + first[0].length;
  }
  return end;
}

/** Not between the two halves of one letter. */
const whole = (content: string, at: number): number =>
  /[\uDC00-\uDFFF]/.test(content.charAt(at)) ? at + 1 : at;
