import { describe, expect, test } from 'vitest';
import { sentenceEnd } from '../../../../workers/agent/listening/sentence-end.ts';

describe('the end of a text', () => {
  test.each([
    'What time do you open?',
    'I would like a table for tonight.',
    'Yes, it is.',
    'I am 25.',
    'My number is 0171 234 5678.',
    'Whose is it?',
  ])('is finished: %s', (text) => {
    expect(sentenceEnd(text, 'en')).toBe('finished');
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
  ])('is unfinished: %s', (text) => {
    expect(sentenceEnd(text, 'en')).toBe('unfinished');
  });

  test.each(['and then we went home', 'I had a really bad day,', 'Well...', ''])(
    'is unclear: "%s"',
    (text) => {
      expect(sentenceEnd(text, 'en')).toBe('unclear');
    },
  );

  test.each([
    ['de', 'Ich hätte gern einen'],
    ['fr', 'Je voudrais une table pour'],
    ['es', 'Quiero una mesa para'],
    ['ja', '私の名前は'],
    ['zh', '我想要一个，因为'],
  ])('is unfinished in %s: %s', (language, text) => {
    expect(sentenceEnd(text, language)).toBe('unfinished');
  });
});
