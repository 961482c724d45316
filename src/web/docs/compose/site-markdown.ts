import { readBlocks, type Block, type Sample } from './blocks.ts';

/** The page as the MDX that the site is built from. */
export function siteMarkdown(markdown: string): string {
  const blocks = readBlocks(markdown);
  const body = blocks.map(siteBlock).join('\n\n');
  const imports = importsOf(blocks);
  return imports.length > 0 ? `${imports.join('\n')}\n\n${body}` : body;
}

function importsOf(blocks: Block[]): string[] {
  const hasTabs = blocks.some(({ type }) => type === 'tabs');
  return [
    ...(hasTabs ? [`import { Tabs, TabItem } from '@astrojs/starlight/components';`] : []),
    ...blocks.flatMap((block) =>
      'picture' in block
        ? [`import ${pictureName(block)} from '../../src/pictures/${block.picture}.svg';`]
        : [],
    ),
  ];
}

function siteBlock(block: Block): string {
  switch (block.type) {
    case 'text':
      return withAnchors(block.text).trim();
    case 'tabs':
      return siteTabs(block.samples);
    case 'sample':
      return block.picture ? sitePicture(block) : siteSample(block);
  }
}

const pictureName = ({ picture = '' }: Sample): string =>
  `Picture${picture.charAt(0).toUpperCase()}${picture.slice(1)}`;

const sitePicture = (sample: Sample): string =>
  `<${pictureName(sample)} role="img" aria-label=${JSON.stringify(sample.title)} />`;

/** Readers choose a language once: tabs with the same set of names change together. */
function siteTabs(samples: Sample[]): string {
  const items = samples.map(
    (sample) => `<TabItem label="${sample.tab}">\n\n${siteSample(sample)}\n\n</TabItem>`,
  );
  return `<Tabs syncKey="language">\n${items.join('\n')}\n</Tabs>`;
}

function siteSample({ language, text, title, add, note }: Sample): string {
  const frame = title ? `title=${JSON.stringify(title)} frame="code"` : 'frame="none"';
  const details = [frame, add && `ins={${add}}`];
  const fence = `\`\`\`${[language || 'text', ...details].filter(Boolean).join(' ')}\n${text}\`\`\``;
  return note ? `${fence}\n\n${escaped(note)}` : fence;
}

/** Addresses inside the page become empty elements; MDX would take other braces for programs. */
const withAnchors = (text: string): string =>
  text
    .replaceAll(/^(#+) (.*?) \{#([\w-]+)\}$/gm, (_, level: string, title: string, id: string) =>
      slugOf(title) === id ? `${level} ${title}` : `${level} ${title}{#${id}}`,
    )
    .split(/(\{#[\w-]+\})/)
    .map((part) => (part.startsWith('{#') ? `<span id="${part.slice(2, -1)}" />` : escaped(part)))
    .join('');

/** Outside of code, which MDX leaves alone. */
const escaped = (text: string): string =>
  text
    .split(/(`(?:[^`\n]|\n(?!\n))*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll(/[{}<]/g, String.raw`\$&`)))
    .join('');

/** The address that the site gives a heading. */
export const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
