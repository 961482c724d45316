import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  heardText,
  secondsToSentenceEnd,
  unheardText,
} from '../../../../workers/agent/speech/heard.ts';

const spoken = [
  { text: 'One two three.', seconds: 1.4 },
  { text: 'Four five six.', seconds: 1.4 },
];

describe('heard text', () => {
  test('is whole sentences, and the spoken words of the last one', () => {
    expect(heardText(spoken, 0)).toBe('');
    expect(heardText(spoken, 0.8)).toBe('One two');
    expect(heardText(spoken, 1.4)).toBe('One two three.');
    expect(heardText(spoken, 2)).toBe('One two three. Four');
    expect(heardText(spoken, 2.8)).toBe('One two three. Four five six.');
  });

  test('includes a sentence that is cut in its final breath', () => {
    expect(heardText(spoken, 1.35)).toBe('One two three.');
  });

  test('and the unheard text add up to the whole at any position', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 6 });
    const sentence = fc.record({
      text: words.map((some) => `${some.join(' ')}.`),
      seconds: fc.double({ min: 0.2, max: 9, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.array(sentence, { maxLength: 5 }),
        fc.double({ min: 0, max: 50, noNaN: true }),
        (sentences, position) => {
          const both = [heardText(sentences, position), unheardText(sentences, position)];
          const whole = sentences.map(({ text }) => text).join(' ');
          expect(both.filter(Boolean).join(' ')).toBe(whole);
        },
      ),
    );
  });

  test('gives the time until the end of the current sentence', () => {
    expect(secondsToSentenceEnd(spoken, 1)).toBeCloseTo(0.4);
    expect(secondsToSentenceEnd(spoken, 1.5)).toBeCloseTo(1.3);
    expect(secondsToSentenceEnd(spoken, 3)).toBe(0);
  });
});
