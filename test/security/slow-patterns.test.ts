/*
 * Regular expressions that try a text in many ways. One request, one answer of a model or one
 * picture of a few bytes then takes a thread for ever.
 */
import { describe, expect, test } from 'vitest';
import { costGrowth, MOST_GROWTH } from '../support/attacks/cost-growth.ts';

const readers = new URL('./slow-patterns-readers.ts', import.meta.url).href;

type Shape = { text: string; head?: string; tail?: string };

/** The length is that of the shorter text. */
const growthOf = (name: string, length: number, shape: Shape) =>
  costGrowth({ module: readers, name, length, ...shape });

const all = (...texts: string[]): Shape[] => texts.map((text) => ({ text }));

describe('pictures that are documents', () => {
  test.each(all('<!---->', '<?>', '<!DOCTYPE>', '<!DOCTYPE[]>', ' ', '\n<!-- -->', '<!--'))(
    'take a cost that grows with their length: %j',
    async (shape) => {
      expect(await growthOf('picture', 500, shape)).toBeLessThan(MOST_GROWTH);
    },
  );
});

describe('answers of models', () => {
  const ANSWERS = [
    ...all('<s>', '<think>', '<', '[', '<|channel|>', '<|channel|>a<|constrain|>', '<details '),
    ...all('<think a', '【think', '◁|', ' h', '<|a', '\n<s>', '<|start|>'),
    { head: '<think', text: ' ' },
    { head: '<|channel|>', text: 'a' },
    { head: '<'.repeat(100), text: ' ' },
  ];

  test.each(ANSWERS)('take a cost that grows with their length: %j', async (shape) => {
    expect(await growthOf('wholeAnswer', 4_000, shape)).toBeLessThan(MOST_GROWTH);
  });

  test('may hold reasoning within reasoning', async () => {
    const shape = { text: '</think>' };
    expect(await growthOf('nestedAnswer', 40_000, shape)).toBeLessThan(MOST_GROWTH);
  });

  test.each(ANSWERS.slice(0, 6))('cost as much in pieces: %j', async (shape) => {
    expect(await growthOf('streamedAnswer', 1_000, shape)).toBeLessThan(MOST_GROWTH);
  });
});

describe('lines that an agent speaks', () => {
  test.each([
    ...all('$', '_', '\\(', '\\[', '![', '[', '](', '<br ', '<script ', '<!--', '<pre', '|'),
    ...all('- ', '| ', '|-', ' ', '*', '`', '~~a', '==a', ':a', '【', '[^', '<a ', '&#', '</td> '),
    { head: '$', text: '_' },
    { head: '$', text: '_ ' },
    { head: 'a', text: ' ', tail: 'a' },
    { head: 'https://', text: '.', tail: 'a' },
    { head: 'https://a.', text: '.a' },
    { head: '<pre>', text: '<pre', tail: '</pre>' },
    { head: 'a[1', text: ', 1' },
    { head: 'a', text: '</p>', tail: 'a' },
    { head: 'a', text: ' #', tail: 'a' },
  ])('take a cost that grows with their length: %j', async (shape) => {
    expect(await growthOf('spokenLine', 2_000, shape)).toBeLessThan(MOST_GROWTH);
  });
});

describe('texts of callers', () => {
  test.each([
    ['voicedText', { text: ' ', tail: 'a' }],
    ['voicedText', { text: '\u2013 ', tail: 'a' }],
    ['pdfText', { text: 'a' }],
    ['pdfText', { head: 'a-\na', text: '1', tail: 'a' }],
    ['pdfText', { head: 'a-', text: ' ' }],
  ] satisfies [string, Shape][])(
    'take a cost that grows with their length: %s %j',
    async (...attack) => {
      const [name, shape] = attack;
      expect(await growthOf(name, 4_000, shape)).toBeLessThan(MOST_GROWTH);
    },
  );
});

describe('what an agent without a language model reads', () => {
  test.each(all(' ', '!', 'and ', ', when'))(
    'takes a cost that grows with the length of a question: %j',
    async (shape) => {
      expect(await growthOf('answeredQuestion', 2_000, shape)).toBeLessThan(MOST_GROWTH);
    },
  );

  test.each(all('a', '1', '|', '**', 'a. ', 'A\n\n', '?\n', 'a@'))(
    'takes a cost that grows with the length of a file: %j',
    async (shape) => {
      expect(await growthOf('quotedFile', 2_000, shape)).toBeLessThan(MOST_GROWTH);
    },
  );
});
