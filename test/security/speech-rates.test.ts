/*
 * An agent chooses the rate of each stream of its speech. A worker keeps a table for each pair of
 * rates, whose size must not grow with the number of rates.
 */
import { describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { Resampler } from '../../workers/avatar/speech/resample.ts';
import { phaseTable, runInput } from '../../workers/avatar/speech/phase-table.ts';
import { Segment } from '../../workers/avatar/speech/segment.ts';
import { Segments } from '../../workers/avatar/speech/segments.ts';
import { TestClock } from '../support/test-clock.ts';

const RATES = 170;

const memoryMb = () => runInput().buffer.byteLength / 1024 ** 2;

/** Odd rates, whose tables are the largest. */
function convert(fromRate: number): number {
  const resampler = new Resampler(fromRate, 1, 48_000);
  return resampler.push(new Uint8Array(4_000)).length + resampler.flush().length;
}

describe('speech at ever other rates', () => {
  test('costs nothing before it is converted', () => {
    const startMb = memoryMb();

    for (let sampleRate = 8_001; sampleRate < 9_000; sampleRate += 2)
      new Segment(sampleRate, { sampleRate, channels: 1 }).receive(new Uint8Array(4_000));

    expect(memoryMb()).toBe(startMb);
  });

  test('of one session drops no table that others use', () => {
    const usedTable = phaseTable(44_100, 48_000);

    for (let rate = 30_001; rate < 30_501; rate += 2) {
      phaseTable(rate, 48_000);
      expect(phaseTable(44_100, 48_000)).toBe(usedTable);
    }
  });

  test('is played up to some rates of a session', () => {
    const log = createLog({ name: 'test', level: 'silent' });
    const segments = new Segments(new TestClock(), log, () => {});
    const soundsAt = (sampleRate: number): boolean => {
      segments.begin('stream', { sampleRate, channels: 1 }, () => {});
      segments.chunk('stream', new Uint8Array(4_000));
      segments.end('stream');
      const hasSound = segments.first!.take(1_000) !== null;
      segments.shift();
      return hasSound;
    };

    const rates = Array.from({ length: 30 }, (_, index) => 10_001 + 2 * index);

    expect(rates.filter(soundsAt)).toEqual(rates.slice(0, 8));
    expect([10_001, 24_000].map(soundsAt)).toEqual([true, false]);
  });

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
