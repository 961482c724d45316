import { describe, expect, test } from 'vitest';
import { HalfPicture } from '../../../../workers/avatar/quality/half-picture.ts';

describe('a halved picture', () => {
  test('has the mean of each four pixels, in all three planes', () => {
    const half = new HalfPicture({ width: 8, height: 4 });
    const luma = Array.from({ length: 32 }, (_, i) => 10 * Math.floor(i / 8) + (i % 8));
    const u = [100, 102, 104, 106, 100, 102, 104, 106];
    const v = [0, 0, 255, 255, 1, 0, 255, 254];

    const picture = half.of(Uint8Array.from([...luma, ...u, ...v]));

    expect(half.size).toEqual({ width: 4, height: 2 });
    // The mean of 0, 1, 10 and 11 is 5.5.
    expect([...picture.subarray(0, 8)]).toEqual([6, 8, 10, 12, 26, 28, 30, 32]);
    expect([...picture.subarray(8, 10)]).toEqual([101, 105]);
    expect([...picture.subarray(10)]).toEqual([0, 255]);
  });

  test('has even sides, without the last columns and rows where half the sides are odd', () => {
    const half = new HalfPicture({ width: 6, height: 6 });
    const luma = Array.from({ length: 36 }, (_, i) => (i % 6 < 4 && i < 24 ? 10 : 99));
    const chroma = [20, 20, 77, 20, 20, 77, 77, 77, 77];

    const picture = half.of(Uint8Array.from([...luma, ...chroma, ...chroma]));

    expect(half.size).toEqual({ width: 2, height: 2 });
    expect([...picture]).toEqual([10, 10, 10, 10, 20, 20]);
  });
});
