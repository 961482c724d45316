/*
 * Puts the parts of a page in reading order by their places. A PDF may draw them in any order, and
 * draws columns line by line as often as one after the other.
 */
export type Piece = { text: string; x: number; y: number; width: number; size: number };

type Row = Piece[];
type Gutter = { from: number; to: number };

/** In heights of the letters. */
const SAME_ROW = 0.5;
const SPACE = 0.15;
const GUTTER = 1.5;
const NEXT_BLOCK = 3.5;
/** Prose in columns breaks its sentences at the ends of lines; cells of a table do not. */
const CONTINUED = 0.3;
const FEWEST_WORDS = 2.5;

/** The text in rows, columns one after the other. */
export function textInOrder(pieces: Piece[]): string {
  return blocksOf(rowsOf(pieces)).join('\n');
}

/** Whether two pieces of prose stand side by side. */
export const hasColumns = (pieces: Piece[]): boolean =>
  bandsOf(rowsOf(pieces)).some(({ gutter }) => gutter !== null);

function rowsOf(pieces: Piece[]): Row[] {
  const rows: Row[] = [];
  for (const piece of pieces.toSorted((a, b) => b.y - a.y)) {
    const row = rows.at(-1);
    if (row && row[0]!.y - piece.y < SAME_ROW * Math.max(row[0]!.size, piece.size)) row.push(piece);
    else rows.push([piece]);
  }
  return rows.map((row) => row.toSorted((a, b) => a.x - b.x));
}

function blocksOf(rows: Row[]): string[] {
  return bandsOf(rows).flatMap(({ rows, gutter }) => {
    if (!gutter) return rows.map(textOfRow);
    const sides = sidesOf(rows, gutter);
    return sides.flatMap((side) => blocksOf(side.filter((row) => row.length > 0)));
  });
}

type Band = { rows: Row[]; gutter: Gutter | null };

/** Rows that the same gutter divides, and those between them. */
function bandsOf(rows: Row[]): Band[] {
  const bands: Band[] = [];
  let index = 0;
  while (index < rows.length) {
    const band = columnsFrom(rows, index);
    bands.push(band);
    index += band.rows.length;
  }
  return bands;
}

/** The columns that begin with this row, or this row alone. */
function columnsFrom(rows: Row[], start: number): Band {
  for (const widest of gapsOf(rows[start]!)) {
    let gutter = widest;
    let end = start + 1;
    while (end < rows.length && isNear(rows[end - 1]!, rows[end]!)) {
      const narrower = within(gutter, rows[end]!);
      if (!narrower) break;
      gutter = narrower;
      end += 1;
    }
    const band = rows.slice(start, end);
    if (isProse(sidesOf(band, gutter))) return { rows: band, gutter };
  }
  return { rows: [rows[start]!], gutter: null };
}

const isNear = (upper: Row, lower: Row): boolean =>
  upper[0]!.y - lower[0]!.y < NEXT_BLOCK * Math.max(upper[0]!.size, lower[0]!.size);

/** Wide gaps of a row. */
function gapsOf(row: Row): Gutter[] {
  const gaps: Gutter[] = [];
  let reach = -Infinity;
  for (const { x, width, size } of row) {
    if (x - reach > GUTTER * size && Number.isFinite(reach)) gaps.push({ from: reach, to: x });
    reach = Math.max(reach, x + width);
  }
  return gaps;
}

/** The part of a gutter that a row leaves free. Null: the row crosses the gutter. */
function within(gutter: Gutter, row: Row): Gutter | null {
  const middle = (gutter.from + gutter.to) / 2;
  let { from, to } = gutter;
  for (const { x, width } of row) {
    if (x + width <= middle) from = Math.max(from, x + width);
    else if (x >= middle) to = Math.min(to, x);
    else return null;
  }
  return to - from >= SAME_ROW * row[0]!.size ? { from, to } : null;
}

function sidesOf(rows: Row[], { from, to }: Gutter): [Row[], Row[]] {
  const middle = (from + to) / 2;
  return [
    rows.map((row) => row.filter(({ x }) => x < middle)),
    rows.map((row) => row.filter(({ x }) => x >= middle)),
  ];
}

function isProse(sides: [Row[], Row[]]): boolean {
  const columns = sides.map((rows) => rows.filter((row) => row.length > 0).map(textOfRow));
  if (columns.some((lines) => lines.length < 2)) return false;
  const lines = columns.flat();
  const words = lines.reduce((sum, line) => sum + wordsIn(line), 0) / lines.length;
  const continued = columns.flatMap((column) =>
    column.slice(1).filter((line, index) => isContinued(column[index]!, line)),
  );
  return words >= FEWEST_WORDS && continued.length >= CONTINUED * (lines.length - 2);
}

const EAST_ASIAN = /\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}/gu;

/** Scripts without spaces have about two letters to a word. */
const wordsIn = (line: string): number =>
  line.split(/\s+/).length + (line.match(EAST_ASIAN)?.length ?? 0) / 2;

const isContinued = (line: string, continuation: string): boolean =>
  /[-\u00ad]$/.test(line) ||
  /^\p{Ll}/u.test(continuation) ||
  (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}、，]$/u.test(line) &&
    /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(continuation));

function textOfRow(row: Row): string {
  let text = '';
  let reach = -Infinity;
  for (const { text: part, x, width, size } of row) {
    const isApart = x - reach > SPACE * size && text !== '';
    text += isApart && !/\s$/.test(text) && !/^\s/.test(part) ? ` ${part}` : part;
    reach = Math.max(reach, x + width);
  }
  return text.trim();
}
