import { describe, expect, test } from 'vitest';
import { joinBrokenWords } from '../../../src/knowledge/pdf-text/broken-words.ts';

describe('words broken at the end of a line', () => {
  test.each([
    ['infor-\nmation', 'information'],
    ['(infor- \n mation)', '(information)'],
    ['infor\u2010\nmation', 'information'],
    ['in\u00ad\nformation', 'information'],
    ['a well-\nknown fact', 'a well-known fact'],
    ['a blue-\ngreen sea. The blue-green sea.', 'a blue-green sea. The blue-green sea.'],
    ['a state-of-\nthe-art pump', 'a state-of-the-art pump'],
    ['Vor-\nund Nachteile', 'Vor-\nund Nachteile'],
    ['Smith-\nJones', 'Smith-\nJones'],
  ])('%j become %j', (text, joined) => {
    expect(joinBrokenWords(text)).toBe(joined);
  });

  test('are joined in one pass over a long text', () => {
    const word = 'a'.repeat(200_000);
    const odd = `b${'1'.repeat(200_000)}b`;
    const lines = Array.from(
      { length: 20_000 },
      (_, at) => `wo${at}rd${'x'.repeat(at % 7)}-\nend${at} `,
    );

    const joined = joinBrokenWords(`${word} a-\n${odd} ${lines.join('')}${word}`);

    expect(joined).toContain(`a${odd}`);
    expect(joined).toContain('wo19999rdend19999');
  });
});
