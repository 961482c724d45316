import { expect, test } from 'vitest';
import { isLongList, withItem } from '../../../src/web/console/service/long-lists.ts';

const listOf = (pages: number) => ({
  pages: Array.from({ length: pages }, (_, index) => ({ data: [{ id: `${index}`, is: 'old' }] })),
  pageParams: [],
});

test('a list of many pages is long, and other answers are not', () => {
  expect([4, 5].map((pages) => isLongList(listOf(pages)))).toEqual([false, true]);
  expect(isLongList({ data: [] })).toBe(false);
  expect(isLongList(undefined)).toBe(false);
});

test('a long list gets the changes of its items, and keeps its other pages', () => {
  const list = listOf(5);

  const item = { id: '3', is: 'new' };
  const changed = withItem(list, item);

  expect(changed.pages[3]).toEqual({ data: [item] });
  expect(changed.pages[0]).toBe(list.pages[0]);
  expect(withItem(list, { id: 'unknown' })).toBe(list);
  const short = listOf(4);
  expect(withItem(short, { id: '3' })).toBe(short);
});
