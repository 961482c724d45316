/*
 * Reads a text of a business into statements: sentences, rows of tables, and lines such as
 * "Phone: ...". A heading, or a question with its answer below, says what they are about.
 */
import { sentencesIn } from './sentences.ts';

export type Statement = {
  text: string;
  /** Outermost first. */
  headings: readonly string[];
  /** Of a row of a table. */
  columns: string;
  type: 'sentence' | 'row';
};

type Heading = { text: string; level: number };
type Line = { text: string; isAfterBlank: boolean; next: string; afterNext: string };

const COLON_LEVEL = 7;
const QUESTION_LEVEL = 8;
const LONGEST_TEXT = 600;
const LONGEST_HEADING = 60;
const LONGEST_QUESTION = 120;
/** A line of a paragraph that was broken to fit is at least so long. */
const BROKEN_LINE = 50;

const MARKDOWN_HEADING = /^(#{1,6})\s+(\S.*)$/;
const BOLD_LINE = /^(?:\*\*|__)([^*_]+)(?:\*\*|__):?$/;
const UNDERLINE = /^(?:={3,}|-{3,})$/;
const LIST_ITEM = /^(?:[-*•·–]|\d{1,2}[.)])\s+(\S.*)$/;
const KEY = /^[^:.!?。：]{2,40}(?::\s|：)\s*\S/;
const ENDED = /[.!?…。！？:：;,]["'”’»)\]]?$/;
const CELL_BORDER = /\s{2,}|\t|\.{4,}/;

/** `isTitle`: whether a line that stands alone may be a heading. */
export function statementsIn(text: string, isTitle: (line: string) => boolean): Statement[] {
  const reader = new Reader(isTitle);
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  for (const [at, line] of lines.entries())
    reader.read({
      text: line,
      isAfterBlank: !lines[at - 1],
      next: lines[at + 1] ?? '',
      afterNext: lines[at + 2] ?? '',
    });
  return reader.end();
}

class Reader {
  readonly #statements: Statement[] = [];
  #headings: Heading[] = [];
  /** Its lines. */
  #paragraph: string[] = [];
  #columns: string[] | null = null;
  readonly #isTitle: (line: string) => boolean;

  constructor(isTitle: (line: string) => boolean) {
    this.#isTitle = isTitle;
  }

  read(line: Line): void {
    const { text } = line;
    if (text.startsWith('|')) return this.#row(text);
    this.#columns = null;
    if (text === '') return this.#blank();
    if (UNDERLINE.test(text)) return;
    const heading = headingOf(line, this.#isTitle);
    if (heading) return this.#begin(heading);
    const item = LIST_ITEM.exec(text)?.[1];
    if (item !== undefined) {
      this.#endParagraph();
      return this.#item(item);
    }
    if (isRow(text)) return this.#line(text);
    this.#continue(text);
  }

  end(): Statement[] {
    this.#endParagraph();
    return this.#statements;
  }

  #blank(): void {
    this.#endParagraph();
    // A heading such as "Opening hours:" is that of the lines directly below.
    const last = this.#headings.at(-1);
    if (last?.level === COLON_LEVEL && this.#statements.at(-1)?.headings.at(-1) === last.text)
      this.#headings.pop();
  }

  #begin(heading: Heading): void {
    this.#endParagraph();
    this.#headings = [...this.#headings.filter(({ level }) => level < heading.level), heading];
  }

  #continue(text: string): void {
    const before = this.#paragraph.at(-1) ?? '';
    const continues = before.length >= BROKEN_LINE || ENDED.test(before) || /^\p{Ll}/u.test(text);
    if (!continues) this.#endParagraph();
    this.#paragraph.push(text);
  }

  #endParagraph(): void {
    for (const sentence of sentencesIn(this.#paragraph.join(' '))) this.#add(sentence, 'sentence');
    this.#paragraph = [];
  }

  #item(text: string): void {
    const sentences = sentencesIn(text);
    if (sentences.length === 1) return this.#add(text, isRow(text) ? 'row' : 'sentence');
    for (const sentence of sentences) this.#add(sentence, 'sentence');
  }

  #line(text: string): void {
    this.#endParagraph();
    const [first = '', ...others] = text.split(CELL_BORDER).filter((cell) => cell !== '');
    const cells = others.length > 0 && !first.endsWith(':') ? [`${first}:`, ...others] : [text];
    this.#add(cells.join(' ').replace(/\s+/g, ' '), 'row');
  }

  #row(line: string): void {
    this.#endParagraph();
    const cells = line
      .replace(/^\||\|$/g, '')
      .split('|')
      .map((cell) => cell.trim());
    if (cells.every((cell) => /^:?-+:?$/.test(cell))) return;
    if (this.#columns === null) {
      this.#columns = cells;
      return;
    }
    const columns = this.#columns;
    const [name = '', ...values] = cells;
    const named = values
      .map((value, at) => (values.length > 1 ? `${columns[at + 1] ?? ''} ${value}` : value).trim())
      .filter((value) => value !== '');
    this.#add(`${name}: ${named.join(', ')}`, 'row', columns.slice(1).join(' '));
  }

  #add(text: string, type: Statement['type'], columns = ''): void {
    const headings = this.#headings.map(({ text }) => text);
    this.#statements.push({ text: ended(text.slice(0, LONGEST_TEXT)), headings, columns, type });
  }
}

/** A line such as "Phone: ..." or "Small service   45 pounds". */
const isRow = (text: string): boolean =>
  (KEY.test(text) && text.length < 160) || CELL_BORDER.test(text);

function headingOf(line: Line, isTitle: (line: string) => boolean): Heading | null {
  const { text, next } = line;
  const markdown = MARKDOWN_HEADING.exec(text);
  if (markdown) return { text: bare(markdown[2]!), level: markdown[1]!.length };
  const bold = BOLD_LINE.exec(text)?.[1];
  if (bold !== undefined) return { text: bold, level: QUESTION_LEVEL };
  if (text.length > LONGEST_QUESTION || LIST_ITEM.test(text)) return null;
  if (/[?？]$/.test(text))
    return { text: text.replace(/^[QF]\d{0,3}[:.]\s*/, ''), level: QUESTION_LEVEL };
  if (text.length > LONGEST_HEADING) return null;
  if (UNDERLINE.test(next)) return { text, level: 1 };
  if (/[:：]$/.test(text)) return { text: text.slice(0, -1), level: COLON_LEVEL };
  if (ENDED.test(text) || isRow(text)) return null;
  if (!/\p{Ll}/u.test(text) && /\p{Lu}{2}/u.test(text)) return { text, level: 2 };
  return standsAlone(line) && isTitle(text) ? { text, level: 3 } : null;
}

/** Above a paragraph, and no line of one. */
function standsAlone({ text, isAfterBlank, next, afterNext }: Line): boolean {
  if (!isAfterBlank || !/^[\p{Lu}\p{Lo}]/u.test(text) || /\d/.test(text)) return false;
  if (next === '') return afterNext !== '';
  return !isRow(next) && !LIST_ITEM.test(next) && ENDED.test(next.slice(-3));
}

/** Spoken with a pause after it. */
function ended(text: string): string {
  if (ENDED.test(text.slice(-3))) return text;
  return text + (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]$/u.test(text) ? '。' : '.');
}

const bare = (text: string): string => text.replace(/[#*_`]+/g, '').trim();
