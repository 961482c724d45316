/*
 * The Markdown of the pages. Besides the usual, it has:
 *   {#id}                      an address inside the page; it stays when the heading changes
 *   ```py title="client.py"    a sample with a title; `add="2-4"` marks lines, `note="..."`
 *                              explains
 *   ```text picture="call"     for readers of the text; the site shows a picture, whose name
 *                              for screen readers is the title
 *   ::: tabs ... :::           samples with `tab="Python"` that say the same in several languages
 */

export type Sample = {
  type: 'sample';
  language: string;
  text: string;
  title?: string;
  tab?: string;
  /** Lines to mark, such as `2-4,7`. */
  add?: string;
  note?: string;
  /** Name of a picture in `site/src/pictures`. */
  picture?: string;
};
export type Block = { type: 'text'; text: string } | Sample | { type: 'tabs'; samples: Sample[] };

const FENCE = /^```(\S*)[ \t]*(.*)\n([^]*?)^```$\n?/gm;
const TABS = /^::: tabs\n([^]*?)^:::$\n?/gm;

export function readBlocks(markdown: string): Block[] {
  return splitAt(markdown, TABS, readSamples, (match) => ({
    type: 'tabs',
    samples: readSamples(match[1]!).filter((block) => block.type === 'sample'),
  }));
}

const asText = (text: string): Block[] => (text.trim() ? [{ type: 'text', text }] : []);

function readSamples(markdown: string): Block[] {
  return splitAt(markdown, FENCE, asText, ([, language = '', details = '', text = '']) => ({
    type: 'sample',
    language,
    text,
    ...Object.fromEntries(
      [...details.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    ),
  }));
}

/** A match becomes a block; text between matches is read on. */
function splitAt(
  markdown: string,
  pattern: RegExp,
  between: (text: string) => Block[],
  toBlock: (match: RegExpMatchArray) => Block,
): Block[] {
  const blocks: Block[] = [];
  let end = 0;
  for (const match of markdown.matchAll(pattern)) {
    blocks.push(...between(markdown.slice(end, match.index)), toBlock(match));
    end = match.index + match[0].length;
  }
  return [...blocks, ...between(markdown.slice(end))];
}
