/* The part of Markdown that the shown documents use: headings, paragraphs, lists, tables, code blocks and inline code. */

/** Text, and code between backticks. */
export type Span = { type: 'text' | 'code'; text: string };
type Block =
  | { type: 'paragraph'; spans: Span[] }
  | { type: 'list'; items: Span[][] }
  | { type: 'table'; head: Span[][]; rows: Span[][][] }
  | { type: 'code'; text: string };
export type PlainSection = { title: string; blocks: Block[] };

/** The document's title with the blocks before the first section, and its sections. */
export function readDocument(text: string): { head: PlainSection; sections: PlainSection[] } {
  const [head = '', ...sections] = text.replace(/^# /, '').split(/^## /m);
  return { head: readSection(head), sections: sections.map(readSection) };
}

function readSection(text: string): PlainSection {
  const [title = '', ...blocks] = text.trim().match(BLOCKS) ?? [];
  return { title, blocks: blocks.map(readBlock) };
}

/** A code block, or everything up to an empty line. */
const BLOCKS = /^```[^]*?^```$|^.+(?:\n(?!\n).*)*/gm;

function readBlock(wrapped: string): Block {
  if (wrapped.startsWith('```'))
    return { type: 'code', text: wrapped.replace(/^```.*\n|\n```$/g, '') };
  if (wrapped.startsWith('|')) {
    const [head = [], , ...rows] = wrapped.split('\n').map(readRow);
    return { type: 'table', head, rows };
  }
  const text = wrapped.replace(/\n(?!- )\s*/g, ' ');
  if (!text.startsWith('- ')) return { type: 'paragraph', spans: readSpans(text) };
  return { type: 'list', items: text.slice(2).split('\n- ').map(readSpans) };
}

const readRow = (line: string): Span[][] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => readSpans(cell.trim()));

const readSpans = (text: string): Span[] =>
  text
    .split('`')
    .map((part, at): Span => ({ type: at % 2 === 0 ? 'text' : 'code', text: part }))
    .filter((span) => span.text !== '');
