import { describe, expect, test } from 'vitest';
import { nextEviction } from '../../src/work/eviction.ts';

const item = (accountId: string, size: number) => ({ accountId, size });

describe('a full cache gives up', () => {
  test('the oldest item', () => {
    const items = [item('a', 1), item('b', 1), item('c', 1)];

    expect(nextEviction(items, items[2]!)).toBe(items[0]);
  });

  test('the oldest item of an account that has more than its share', () => {
    const items = [item('a', 1), item('b', 3), item('b', 3), item('b', 3)];

    expect(nextEviction(items, items[3]!)).toBe(items[1]);
  });

  test('no only item because it is large', () => {
    const items = [item('a', 1), item('large', 30), item('b', 1)];

    expect(nextEviction(items, items[2]!)).toBe(items[0]);
  });

  test('never what was just made', () => {
    const items = [item('a', 9), item('a', 1)];

    expect(nextEviction(items, items[0]!)).toBe(items[1]);
    expect(nextEviction(items.slice(1), items[1]!)).toBeUndefined();
  });
});
