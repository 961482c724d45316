import { describe, expect, test } from 'vitest';
import { uuids } from '#shared/ids.ts';

describe('record ids', () => {
  test('are UUIDs of version 7 with their time in front', () => {
    const id = uuids(() => 0x0192_3456_789a)();

    expect(id).toMatch(/^01923456-789a-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('sort by creation, in one millisecond and when the clock goes back', () => {
    const times = [5, 5, 5, 4, 6, 3, 7];
    const nextId = uuids(() => times.shift() ?? 7);

    const ids = Array.from({ length: 5_000 }, nextId);

    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(ids.length);
  });
});
