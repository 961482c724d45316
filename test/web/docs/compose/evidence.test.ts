import { expect, test } from 'vitest';
import { withoutEvidence } from '../../../../src/web/docs/compose/evidence.ts';
import { docsPages } from '../../../support/pages/docs.ts';

test('leaves out paragraphs and columns that name tests, and nothing else', () => {
  const markdown = [
    'Before.',
    '| Who | How | Test |\n| --- | --- | --- |\n| A | by `a` | `test/a.test.ts`, `test/b.test.ts` |',
    'Tests: `test/c.test.ts` (lost).',
    '| Who | Test it |\n| --- | --- |\n| A | yes |',
    'Testing: after.',
  ];

  expect(withoutEvidence(markdown.join('\n\n'))).toBe(
    [
      'Before.',
      '| Who | How |\n| --- | --- |\n| A | by `a` |',
      '| Who | Test it |\n| --- | --- |\n| A | yes |',
      'Testing: after.',
    ].join('\n\n'),
  );
});

test('leaves no path of a test in the pages', async () => {
  const naming = (await docsPages()).filter(({ markdown }) =>
    /\btest\/[\w/-]+\.test/.test(markdown),
  );

  expect(naming.map(({ name }) => name)).toEqual([]);
});
