import { describe, expect, test } from 'vitest';
import { readBlocks } from '../../../../src/web/docs/compose/blocks.ts';
import { plainMarkdown } from '../../../../src/web/docs/compose/plain-markdown.ts';
import { siteMarkdown } from '../../../../src/web/docs/compose/site-markdown.ts';

const PAGE = `Text with \`{code}\` and {braces} and <angles>.

## A longer title {#short}

::: tabs
\`\`\`python tab="Python" add="2" note="A note."
one = 1
two = 2
\`\`\`
\`\`\`ts tab="Node"
const one = 1;
\`\`\`
:::

\`\`\`sh title="Run it"
npm start
\`\`\`
`;

describe('a page', () => {
  test('is text, samples and tabs of samples', () => {
    expect(readBlocks(PAGE)).toEqual([
      { type: 'text', text: expect.stringContaining('A longer title') },
      {
        type: 'tabs',
        samples: [
          {
            type: 'sample',
            language: 'python',
            text: 'one = 1\ntwo = 2\n',
            tab: 'Python',
            add: '2',
            note: 'A note.',
          },
          { type: 'sample', language: 'ts', text: 'const one = 1;\n', tab: 'Node' },
        ],
      },
      { type: 'sample', language: 'sh', text: 'npm start\n', title: 'Run it' },
    ]);
  });

  test('is plain Markdown for everybody', () => {
    expect(plainMarkdown(PAGE)).toBe(`Text with \`{code}\` and {braces} and <angles>.

## A longer title

Python: A note:

\`\`\`python
one = 1
two = 2
\`\`\`

Node:

\`\`\`ts
const one = 1;
\`\`\`

Run it:

\`\`\`sh
npm start
\`\`\``);
  });

  test('is MDX for the site: no brace or angle of the text is a program', () => {
    const site = siteMarkdown(PAGE);

    expect(site).toContain('Text with `{code}` and \\{braces\\} and \\<angles>.');
    expect(site).toContain('## A longer title<span id="short" />');
    expect(site).toContain('<TabItem label="Python">\n\n```python frame="none" ins={2}\none = 1');
    expect(site).toContain('import { Tabs, TabItem }');
  });

  test('gives a heading one address where both are the same', () => {
    expect(siteMarkdown('## Firewall {#firewall}\n')).toBe('## Firewall');
  });

  test('imports nothing that it does not use', () => {
    expect(siteMarkdown('Text.\n')).toBe('Text.');
  });

  test('is a picture on the site where readers of the text get a drawing', () => {
    const page = '```text picture="call" title="A call"\nuser -- room\n```\n';

    expect(siteMarkdown(page)).toBe(
      `import PictureCall from '../../src/pictures/call.svg';\n\n<PictureCall role="img" aria-label="A call" />`,
    );
    expect(plainMarkdown(page)).toBe('A call:\n\n```text\nuser -- room\n```');
  });
});
