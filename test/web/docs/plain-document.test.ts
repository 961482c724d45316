import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../src/web/docs/plain-document.ts';

describe('a plain document', () => {
  test('has a title, paragraphs, lists and code', () => {
    const { head, sections } = readDocument(
      '# Title\n\nOne `code`\nmore.\n\n## First\n\n- a\n- `b`\n  c\n\nAfter.\n',
    );

    expect(head).toEqual({
      title: 'Title',
      blocks: [
        {
          type: 'paragraph',
          spans: [
            { type: 'text', text: 'One ' },
            { type: 'code', text: 'code' },
            { type: 'text', text: ' more.' },
          ],
        },
      ],
    });
    expect(sections).toEqual([
      {
        title: 'First',
        blocks: [
          {
            type: 'list',
            items: [
              [{ type: 'text', text: 'a' }],
              [
                { type: 'code', text: 'b' },
                { type: 'text', text: ' c' },
              ],
            ],
          },
          { type: 'paragraph', spans: [{ type: 'text', text: 'After.' }] },
        ],
      },
    ]);
  });

  test('has tables and code blocks, which keep their lines', () => {
    const { sections } = readDocument(
      '# Title\n\n## First\n\n| unit | what |\n|---|---|\n| `a` | b c |\n\n```sh\none \\\n  two\n\nthree\n```\n\nAfter.\n',
    );

    expect(sections[0]?.blocks).toEqual([
      {
        type: 'table',
        head: [[{ type: 'text', text: 'unit' }], [{ type: 'text', text: 'what' }]],
        rows: [[[{ type: 'code', text: 'a' }], [{ type: 'text', text: 'b c' }]]],
      },
      { type: 'code', text: 'one \\\n  two\n\nthree' },
      { type: 'paragraph', spans: [{ type: 'text', text: 'After.' }] },
    ]);
  });

  test.each(['SECURITY.md', 'deploy/prometheus/RUNBOOK.md', 'deploy/systemd/README.md'])(
    'is what %s is',
    (file) => {
      const text = readFileSync(file, 'utf8').replace(/^```[^]*?^```$/gm, '');

      // The page would show other Markdown as it is written.
      expect(text).not.toMatch(/^(###|\*|\d+\.|>|```)|\]\(|\*\*/m);
    },
  );
});
