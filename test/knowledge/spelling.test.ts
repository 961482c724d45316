import { expect, test } from 'vitest';
import { isWithinOneTypo } from '../../src/knowledge/spelling.ts';

test.each([
  ['sandal', 'sandal'],
  ['sandal', 'sandel'],
  ['sandal', 'sandals'],
  ['sandal', 'andal'],
  ['sandal', 'sanndal'],
  ['sandal', 'sandax'],
  ['a', ''],
])('%s and %s differ by a typo at most', (word, other) => {
  expect(isWithinOneTypo(word, other)).toBe(true);
  expect(isWithinOneTypo(other, word)).toBe(true);
});

test.each([
  ['sandal', 'asndal'],
  ['sandal', 'sandalss'],
  ['sandal', 'xandel'],
  ['sandal', 'ndal'],
  ['', 'ab'],
])('%s and %s differ by more', (word, other) => {
  expect(isWithinOneTypo(word, other)).toBe(false);
  expect(isWithinOneTypo(other, word)).toBe(false);
});
