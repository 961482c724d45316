/* The part of Markdown that SECURITY.md and the runbook use: headings, paragraphs, lists and inline code. */

/** Text, and code between backticks. */
export type Span = { type: 'text' | 'code'; text: string };
type Block = { type: 'paragraph'; spans: Span[] } | { type: 'list'; items: Span[][] };
export type PlainSection = { title: string; blocks: Block[] };

/** The document's title with the blocks before the first section, and its sections. */
export function readDocument(text: string): { head: PlainSection; sections: PlainSection[] } {
  const [head = '', ...sections] = text.replace(/^# /, '').split(/^## /m);
  return { head: readSection(head), sections: sections.map(readSection) };
}

function readSection(text: string): PlainSection {
  const [title = '', ...blocks] = text.trim().split(/\n\n+/);
  return { title, blocks: blocks.map(readBlock) };
}

function readBlock(wrapped: string): Block {
  const text = wrapped.replace(/\n(?!- )\s*/g, ' ');
  if (!text.startsWith('- ')) return { type: 'paragraph', spans: readSpans(text) };
  return { type: 'list', items: text.slice(2).split('\n- ').map(readSpans) };
}

const readSpans = (text: string): Span[] =>
  text
    .split('`')
    .map((part, at): Span => ({ type: at % 2 === 0 ? 'text' : 'code', text: part }))
    .filter((span) => span.text !== '');
