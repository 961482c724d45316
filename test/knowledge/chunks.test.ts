import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { passagesOf } from '../../src/knowledge/chunks.ts';

const textsOf = (content: string) => [...passagesOf('a file', content)].map(({ text }) => text);
const solid = (text: string) => text.replaceAll(/\s/g, '').length;
const sentences = (count: number) =>
  Array.from({ length: count }, (_, at) => `This is sentence number ${at} of the file.`).join(' ');

describe('passages of a file', () => {
  test('are one for a short text and none for an empty one', () => {
    expect(textsOf('Shoes cost 20 euros.')).toEqual(['Shoes cost 20 euros.']);
    expect(textsOf(' \n\n ')).toEqual([]);
  });

  test('end with a sentence and begin with the last one of the passage before', () => {
    const texts = textsOf(sentences(60));

    expect(texts.length).toBeGreaterThan(2);
    for (const [at, text] of texts.entries()) {
      expect(text).toMatch(/^This is sentence.*file\.$/s);
      const [sentence] =
        (texts[at - 1] ?? '').match(/This is sentence number \d+ of the file\.$/) ?? [];
      if (sentence) expect(text).toContain(sentence);
    }
  });

  test('end with a paragraph where possible', () => {
    const paragraph = `${sentences(14)}\n\n`;

    const [text] = textsOf(paragraph.repeat(3));

    expect(text).toBe(sentences(14));
  });

  test('have about the target length for any text, and cover all of it', () => {
    const letters = fc.constantFrom('a', ' ', '.', '\n', '\n\n', 'é', '\u{1f600}', '。', 'word ');
    fc.assert(
      fc.property(
        fc.array(letters, { maxLength: 4_000 }).map((parts) => parts.join('')),
        (content) => {
          const texts = textsOf(content);

          for (const text of texts) {
            expect(text.length).toBeLessThanOrEqual(801);
            expect(text.isWellFormed()).toBe(true);
          }
          expect(texts.reduce((sum, text) => sum + solid(text), 0)).toBeGreaterThanOrEqual(
            solid(content),
          );
        },
      ),
      { numRuns: 200 },
    );
  });
});
