import { expect, test } from 'vitest';
import { growthByRooms } from '../../stage/rooms-left.ts';

test('rooms that a worker has left keep no thread, no file and no object', () => {
  const { heapMb, threads, files } = growthByRooms(40);

  // Every step shows a leak. In one of them, V8 may take some megabytes, or a pool a thread.
  expect(median(threads)).toBeLessThanOrEqual(0);
  expect(median(files)).toBeLessThanOrEqual(0);
  expect(median(heapMb)).toBeLessThan(0.02);
});

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
