import { describe, expect, test } from 'vitest';
import { judgeHeard, judgePosition, judgeReports, type Report } from './playback.ts';

const SEGMENTS = [
  { seconds: 3, isCut: false },
  { seconds: 2, isCut: true },
];

const report = (seconds: number, interrupted: boolean, fields: object = {}): Report => ({
  playback_position: seconds,
  interrupted,
  atMs: 0,
  ...fields,
});

const RIGHT = [report(3.02, false), report(0.7, true)];

describe('reports of playback', () => {
  test('conform with one for each segment, in order, at its position', () => {
    expect(judgeReports(SEGMENTS, RIGHT)).toEqual([]);
    expect(judgeReports([], [])).toEqual([]);
  });

  test.each<[string, Report[]]>([
    ['one is missing', RIGHT.slice(0, 1)],
    ['there is one too many', [...RIGHT, report(0, true)]],
    ['they are in another order', RIGHT.toReversed()],
    ['a whole segment has half its length', [report(1.5, false), RIGHT[1]!]],
    ['a whole segment counts as interrupted', [report(3, true), RIGHT[1]!]],
    ['an interrupted segment counts as whole', [RIGHT[0]!, report(2, false)]],
    ['the position is behind the end', [RIGHT[0]!, report(2.2, true)]],
    ['the position is negative', [RIGHT[0]!, report(-0.1, true)]],
    ['the position is no number', [report(Number.NaN, false), RIGHT[1]!]],
    ['a Python agent rejects a key', [report(3, false, { transcript: null }), RIGHT[1]!]],
  ])('do not conform if %s', (_, reports) => {
    expect(judgeReports(SEGMENTS, reports)).not.toEqual([]);
  });
});

describe('what was heard', () => {
  test('conforms within the tolerance', () => {
    expect(judgeHeard([3, 1.5], [2.9, 1.52], 0.25)).toEqual([]);
    expect(judgePosition(1.1, 1.2, 0.25)).toEqual([]);
  });

  test.each<[string, number[]]>([
    ['nothing', []],
    ['too little', [3, 1]],
    ['too much', [3, 1.5, 0.4]],
  ])('does not conform if it is %s', (_, lengths) => {
    expect(judgeHeard([3, 1.5], lengths, 0.25)).not.toEqual([]);
  });

  test('does not conform if an interruption is reported elsewhere', () => {
    expect(judgePosition(1.1, 1.5, 0.25)).not.toEqual([]);
    expect(judgePosition(1.1, null, 0.25)).not.toEqual([]);
  });
});
