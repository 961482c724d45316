import { expect, test } from 'vitest';
import { fused } from '../../src/knowledge/fusion.ts';

test.each([
  {
    what: 'what both have comes first',
    lists: [
      ['a', 'b'],
      ['c', 'b'],
    ],
    is: ['b', 'a', 'c'],
  },
  { what: 'one list stays as it is', lists: [['a', 'b', 'c'], []], is: ['a', 'b', 'c'] },
  {
    what: 'lists of different things take turns',
    lists: [
      ['a', 'b'],
      ['c', 'd'],
    ],
    is: ['a', 'c', 'b', 'd'],
  },
  { what: 'nothing is nothing', lists: [[], []], is: [] },
])('merges ranked lists: $what', ({ lists, is }) => {
  expect(fused(...lists)).toEqual(is);
});
