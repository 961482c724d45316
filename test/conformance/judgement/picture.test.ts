import { describe, expect, test } from 'vitest';
import { judgePitches } from './leakage.ts';
import { judgeContrast, judgePicture } from './picture.ts';

const span = { fromMs: 1_000, toMs: 4_000 };

describe('the picture', () => {
  test('conforms while frames come', () => {
    expect(judgePicture([500, 1_400, 2_800, 3_900, 6_000], span)).toEqual([]);
  });

  test.each<[string, number[]]>([
    ['at the beginning', [2_600, 3_900]],
    ['in between', [1_100, 2_700, 3_900]],
    ['at the end', [1_100, 2_400]],
    ['all the time', []],
  ])('does not conform if it stands still %s', (_, times) => {
    expect(judgePicture(times, span)).not.toEqual([]);
  });
});

test('a blank picture does not conform', () => {
  expect(judgeContrast([30, 200, 90])).toEqual([]);
  expect(judgeContrast([16, 17, 16])).toHaveLength(1);
});

describe('the sound of a room', () => {
  test('conforms with its own tone', () => {
    expect(judgePitches([441, 439, 440, 452], 440, 1000)).toEqual([]);
  });

  test('does not conform without it, or with the tone of another room', () => {
    expect(judgePitches([], 440, 1000)).toHaveLength(1);
    expect(judgePitches([440, 440, 1001, 999], 440, 1000)).toHaveLength(1);
    expect(judgePitches([1000], 440, 1000)).toHaveLength(2);
  });
});
