import { describe, expect, test } from 'vitest';
import { sentenceEnd } from '../../../../workers/agent/listening/sentence-end.ts';

const endOf = (text: string, language = 'en', certainty = 1) =>
  sentenceEnd({ text, certainty }, language);

describe('the end of a text', () => {
  test.each([
    'What time do you open?',
    'I would like a table for tonight.',
    'Yes, it is.',
    'I am 25.',
    'My number is 0171 234 5678.',
    'Whose is it?',
    'I have two.',
  ])('is finished: %s', (text) => {
    expect(endOf(text)).toBe('finished');
  });

  test.each([
    'I would like to book a table for the',
    'My number is.',
    'My number is zero one seven.',
    'My number is 017,',
    'I think we should.',
    'It was good, but',
    'Do you know if the?',
    'Um,',
    'It would be great if you.',
    'On Thursday, I have two.',
  ])('is unfinished: %s', (text) => {
    expect(endOf(text)).toBe('unfinished');
  });

  test.each(['and then we went home', 'I had a really bad day,', 'Well...', ''])(
    'is unclear: "%s"',
    (text) => {
      expect(endOf(text)).toBe('unclear');
    },
  );

  test.each(['I would like to go there.', 'Do you know it, sir?'])(
    'is unclear if the last words are uncertain: %s',
    (text) => {
      expect(endOf(text, 'en', 0.6)).toBe('unclear');
    },
  );

  test('is unfinished after a word that ends no sentence, however certain', () => {
    expect(endOf('I would like a table for the', 'en', 0.3)).toBe('unfinished');
  });

  test.each([
    ['de', 'Ich hätte gern einen'],
    ['fr', 'Je voudrais une table pour'],
    ['es', 'Quiero una mesa para'],
    ['ja', '私の名前は'],
    ['zh', '我想要一个，因为'],
  ])('is unfinished in %s: %s', (language, text) => {
    expect(endOf(text, language)).toBe('unfinished');
  });
});
