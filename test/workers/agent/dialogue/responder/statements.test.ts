import { describe, expect, test } from 'vitest';
import { statementsIn } from '../../../../../workers/agent/dialogue/responder/statements.ts';

const read = (text: string) =>
  statementsIn(text, (line) => line.split(' ').length < 4).map(
    ({ text, headings, columns }) =>
      `${[...headings, columns].filter(Boolean).join(' > ')} | ${text}`,
  );

describe('statements of a text', () => {
  test('are sentences below headings of Markdown', () => {
    expect(
      read('# Inn\n\nIt is old. Dr. Lee owns it.\n\n## Rooms\n\nAll have a view.\n\n# Bar\nOpen.'),
    ).toEqual([
      'Inn | It is old.',
      'Inn | Dr. Lee owns it.',
      'Inn > Rooms | All have a view.',
      'Bar | Open.',
    ]);
  });

  test('are sentences below headings of plain texts', () => {
    expect(
      read('INN BY THE LAKE\nOld.\n\nOur rooms\n\nAll have a view.\n\nPrices\n------\nFair.'),
    ).toEqual([
      'INN BY THE LAKE | Old.',
      'INN BY THE LAKE > Our rooms | All have a view.',
      'Prices | Fair.',
    ]);
  });

  test('are answers below their questions', () => {
    expect(read('## Returns\n\n**How long?**\n30 days.\n\nQ: Who pays?\nA friend.')).toEqual([
      'Returns > How long? | 30 days.',
      'Returns > Who pays? | A friend.',
    ]);
  });

  test('are lines with a key, without the heading of the lines before', () => {
    expect(read('Hours:\nMon-Fri: 9-5\nSat       10-2\n\nPhone: 0123 456')).toEqual([
      'Hours | Mon-Fri: 9-5.',
      'Hours | Sat: 10-2.',
      ' | Phone: 0123 456.',
    ]);
  });

  test('are items of lists and rows of tables', () => {
    expect(
      read(
        '- Tea\n- Two cakes. Fresh.\n\n| Day | Lunch | Dinner |\n|---|---|---|\n| Sunday | 12 | |',
      ),
    ).toEqual([
      ' | Tea.',
      ' | Two cakes.',
      ' | Fresh.',
      'Lunch Dinner | Sunday: Lunch 12, Dinner.',
    ]);
  });

  test('span the lines of a paragraph', () => {
    const line = 'The garden behind the house is open in summer and';

    expect(read(`${line}\nclosed in winter.`)).toEqual([` | ${line} closed in winter.`]);
  });
});
