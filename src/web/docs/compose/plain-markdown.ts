import { readBlocks, type Sample } from './blocks.ts';

/** The page as Markdown that every reader knows. */
export const plainMarkdown = (markdown: string): string =>
  readBlocks(markdown)
    .map((block) => {
      if (block.type === 'text') return block.text.replaceAll(/ ?\{#[\w-]+\}/g, '').trim();
      return block.type === 'sample'
        ? plainSample(block)
        : block.samples.map(plainSample).join('\n\n');
    })
    .join('\n\n');

function plainSample({ language, text, title, tab, note }: Sample): string {
  const head = [tab ?? title, note].filter(Boolean).join(': ');
  return `${head ? `${head.replace(/\.$/, '')}:\n\n` : ''}\`\`\`${language}\n${text}\`\`\``;
}
