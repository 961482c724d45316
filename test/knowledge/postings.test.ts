import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Postings } from '../../src/knowledge/postings.ts';

test('postings say which passages contain a word, and how often', () => {
  const words = 7;
  const passage = fc.dictionary(
    fc.integer({ min: 0, max: words - 1 }).map(String),
    fc.integer({ min: 1, max: 300 }),
  );
  fc.assert(
    fc.property(fc.array(passage, { maxLength: 40 }), (passages) => {
      const postings = new Postings();
      for (let word = 0; word < words; word += 1) postings.addWord();
      const counts = passages.map(
        (each) => new Map(Object.entries(each).map(([word, count]) => [Number(word), count])),
      );
      for (const each of counts) postings.add(each);

      for (let word = 0; word < words; word += 1) {
        const containing = counts.flatMap((each, at) => (each.has(word) ? [at] : []));
        const postingsOfWord = [...postings.of(word)].toReversed();
        expect(postingsOfWord).toEqual(
          containing.map((at) => ({ passage: at, count: Math.min(255, counts[at]!.get(word)!) })),
        );
        expect(postings.frequency(word)).toBe(containing.length);
      }
      expect(counts.map((_, at) => postings.length(at))).toEqual(counts.map(({ size }) => size));
    }),
  );
});
