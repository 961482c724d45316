import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  heardText,
  secondsToSentenceEnd,
  unheardText,
} from '../../../../workers/agent/speech/heard-text.ts';

const twoSentences = [
  { text: 'One two three.', seconds: 1.4 },
  { text: 'Four five six.', seconds: 1.4 },
];

describe('heard text', () => {
  test('is whole sentences, and the spoken words of the last one', () => {
    expect(heardText(twoSentences, 0)).toBe('');
    expect(heardText(twoSentences, 0.8)).toBe('One two');
    expect(heardText(twoSentences, 1.4)).toBe('One two three.');
    expect(heardText(twoSentences, 2)).toBe('One two three. Four');
    expect(heardText(twoSentences, 2.8)).toBe('One two three. Four five six.');
  });

  test('counts words as long as they are spoken', () => {
    // "It costs twelve euros and fifty cents today."
    const sentences = [{ text: 'It costs €12.50 today.', seconds: 4.4 }];

    expect(heardText(sentences, 2)).toBe('It costs');
    expect(heardText(sentences, 3.6)).toBe('It costs');
    expect(heardText(sentences, 3.9)).toBe('It costs €12.50');
  });

  test('includes a sentence that is cut in its final breath', () => {
    expect(heardText(twoSentences, 1.35)).toBe('One two three.');
  });

  test('and the unheard text add up to the whole at any position', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 6 });
    const sentence = fc.record({
      text: words.map((wordList) => `${wordList.join(' ')}.`),
      seconds: fc.double({ min: 0.2, max: 9, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.array(sentence, { maxLength: 5 }),
        fc.double({ min: 0, max: 50, noNaN: true }),
        (sentences, position) => {
          const parts = [heardText(sentences, position), unheardText(sentences, position)];
          const fullText = sentences.map(({ text }) => text).join(' ');
          expect(parts.filter(Boolean).join(' ')).toBe(fullText);
        },
      ),
    );
  });

  test('gives the time until the end of the current sentence', () => {
    expect(secondsToSentenceEnd(twoSentences, 1)).toBeCloseTo(0.4);
    expect(secondsToSentenceEnd(twoSentences, 1.5)).toBeCloseTo(1.3);
    expect(secondsToSentenceEnd(twoSentences, 3)).toBe(0);
  });
});
