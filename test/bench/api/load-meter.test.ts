import { describe, expect, test } from 'vitest';
import { loadBetween, meanLoad, ticksUnder } from './load-meter.ts';

const at = (atMs: number, waitedUs: number, busy: number, own: number) => ({
  atMs,
  waitedUs,
  ticks: { busy, all: atMs, own },
});

describe('load of the machine', () => {
  test('is the share of the time in which something waited', () => {
    expect(loadBetween(at(0, 0, 0, 0), at(1_000, 250_000, 0, 0)).pressure).toBe(0.25);
  });

  test('leaves out of the others what the bench used itself', () => {
    expect(loadBetween(at(0, 0, 100, 50), at(1_000, 0, 700, 550)).others).toBe(0.1);
  });

  test('is unknown where the system does not tell', () => {
    const silent = { atMs: 0, waitedUs: null, ticks: null };

    expect(loadBetween(silent, { ...silent, atMs: 9 })).toEqual({ pressure: null, others: null });
  });

  test('counts a process with all that it started, and nobody else', () => {
    const processes = [
      { pid: 4, parent: 3, ticks: 8 },
      { pid: 3, parent: 2, ticks: 4 },
      { pid: 2, parent: 1, ticks: 2 },
      { pid: 5, parent: 1, ticks: 100 },
    ];

    expect(ticksUnder(2, processes)).toBe(14);
  });

  test('of several windows is their mean, unknown if one of them is', () => {
    const mean = meanLoad([
      { pressure: 0.1, others: 0.2 },
      { pressure: 0.3, others: null },
    ]);

    expect(mean.pressure).toBeCloseTo(0.2);
    expect(mean.others).toBeNull();
  });
});
