import { describe, expect, test } from 'vitest';
import { toSentences, toSpeakable } from '#protocol/voice/speakable.ts';

describe('speakable text', () => {
  test.each([
    ['It\u2019s \u201cfine\u201d', 'It\'s "fine"'],
    ['Wait\u2026 what \u2014 now?', 'Wait... what, now?'],
    ['Caf\u00e9 \u00e0 5\u20ac', 'Cafe a 5 euros'],
    ['Hi \u{1f44b} there', 'Hi there'],
    ['  a\n\nb  ', 'a b'],
    ['\u4f60\u597d', ''],
  ])('%j is read as %j', (typed, read) => {
    expect(toSpeakable(typed)).toBe(read);
  });

  test('is split where a sentence ends', () => {
    expect(toSentences('Hello there. How are you? Fine!')).toEqual([
      'Hello there.',
      'How are you?',
      'Fine!',
    ]);
  });

  test('has no sentence without letters or digits', () => {
    expect(toSentences(' ... \u{1f44b} !? ')).toEqual([]);
  });

  test('is split into sentences of limited length without losing words', () => {
    const words = Array.from({ length: 200 }, (_, index) => `word${index}`);

    const sentences = toSentences(words.join(' '));

    expect(Math.max(...sentences.map((sentence) => sentence.length))).toBeLessThanOrEqual(240);
    expect(sentences.join(' ').split(' ')).toEqual(words);
  });
});
