/*
 * An agent chooses the rate of each stream of its speech. A worker keeps a table for each pair of
 * rates, whose size must not grow with the number of rates.
 */
import { describe, expect, test } from 'vitest';
import { Resampler } from '../../workers/avatar/speech/resample.ts';
import { runInput } from '../../workers/avatar/speech/phase-table.ts';

const RATES = 170;

const memoryMb = () => runInput().buffer.byteLength / 1024 ** 2;

/** Odd rates, whose tables are the largest. */
function convert(fromRate: number): number {
  const resampler = new Resampler(fromRate, 1, 48_000);
  return resampler.push(new Uint8Array(4_000)).length + resampler.flush().length;
}

describe('speech at ever other rates', () => {
  test('takes up a bounded amount of memory, and is converted all the same', () => {
    const open = new Resampler(44_100, 1, 48_000);
    const startSamples = open.push(new Uint8Array(44_100)).length;

    const lengths = Array.from({ length: RATES }, (_, i) => convert(23_001 + 2 * i));

    const endSamples = open.push(new Uint8Array(44_100)).length + open.flush().length;
    expect(memoryMb()).toBeLessThan(40);
    expect(lengths).toEqual(
      Array.from({ length: RATES }, (_, i) => Math.round((2_000 * 48_000) / (23_001 + 2 * i))),
    );
    expect(startSamples + endSamples).toBe(48_000);
  });
});
