import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { largestThatHolds } from './halving.ts';

async function search(holding: number, start: number, most: number) {
  const tried: number[] = [];
  const largest = await largestThatHolds({ start, most }, async (count) => {
    tried.push(count);
    return count <= holding;
  });
  return { largest, tried };
}

describe('binary search for the largest count', () => {
  test('finds the largest count that holds, without trying one twice', async () => {
    const most = fc.integer({ min: 1, max: 200 });
    await fc.assert(
      fc.asyncProperty(most, fc.nat(250), fc.nat(250), async (most, holding, start) => {
        const { largest, tried } = await search(holding, start, most);

        expect(largest).toBe(Math.min(holding, most));
        expect(new Set(tried).size).toBe(tried.length);
        expect(tried.every((count) => count >= 1 && count <= most)).toBe(true);
      }),
    );
  });

  test('goes up in growing steps, and not far beyond the limit', async () => {
    expect((await search(9, 4, 24)).tried).toEqual([4, 5, 7, 11, 9, 10]);
  });

  test('goes down if the first count is too large', async () => {
    expect((await search(3, 6, 24)).tried).toEqual([6, 5, 3, 4]);
  });

  test('takes two tries if the first count is the largest', async () => {
    expect((await search(6, 6, 24)).tried).toEqual([6, 7]);
  });
});
