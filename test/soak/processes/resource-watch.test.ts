import { describe, expect, test } from 'vitest';
import { ResourceWatch, riseOf } from './resource-watch.ts';

const samples = (...mb: number[]) => mb.map((each, i) => ({ atMs: i * 5_000, mb: each }));

describe('the rise of memory', () => {
  test('is that of the line through all samples', () => {
    expect(riseOf(samples(100, 110, 120, 130))).toBeCloseTo(30);
    expect(riseOf(samples(130, 120, 110, 100))).toBeCloseTo(-30);
  });

  test('does not count a burst in between', () => {
    expect(riseOf(samples(100, 100, 300, 100, 100))).toBeCloseTo(0);
  });

  test('is unknown after one look', () => {
    expect(riseOf(samples(100))).toBeNaN();
  });
});

test('a watched process that is gone keeps its place, without a rise', () => {
  const watch = new ResourceWatch([
    { name: 'this one', pid: process.pid },
    { name: 'nobody', pid: 2 ** 30 },
  ]);
  watch.stop();

  expect(watch.processorText).toMatch(
    /^processors in use: this one \d+\.\d\d, all \d+\.\d\d of \d+$/,
  );
  expect(watch.rises(['nobody'], 0, Infinity)).toMatchObject([{ holds: false }]);
});
