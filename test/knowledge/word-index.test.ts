import { describe, expect, test } from 'vitest';
import { WordIndex } from '../../src/knowledge/word-index.ts';

function indexOf(texts: string[], maxWords?: number): WordIndex {
  const index = new WordIndex(maxWords);
  for (const text of texts) index.add({ source: '', text });
  return index;
}

describe('a word index', () => {
  test('ranks passages with more words of the question first', () => {
    const index = indexOf(['red boots', 'blue boots and red laces', 'blue boots', 'green boots']);

    expect(index.find('blue boots', 3)).toEqual([2, 1]);
  });

  test('finds words that begin like an unknown one, and those with a typo', () => {
    const index = indexOf(['a refrigerator', 'a garden', 'an entrance']);

    expect(index.find('refrig', 3)).toEqual([0]);
    expect(index.find('gardem', 3)).toEqual([1]);
    expect(index.find('entrace', 3)).toEqual([2]);
  });

  test('leaves out words beyond its limit, and finds their passages by others', () => {
    const index = indexOf(['first second', 'third second'], 2);

    expect(index.omitsWords).toBe(true);
    expect(index.find('third', 3)).toEqual([]);
    expect(index.find('second', 3)).toEqual([1, 0]);
    expect(indexOf(['first second'], 2).omitsWords).toBe(false);
  });
});
