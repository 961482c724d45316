import { describe, expect, test } from 'vitest';
import { loadBetween, meanLoad, ticksUnder } from './load-meter.ts';

const at = (atMs: number, waitedUs: number, busy: number, own: number) => ({
  atMs,
  waitedUs,
  ticks: { busy, all: atMs, own },
});

describe('machine load', () => {
  test('is the share of time in which a task waited', () => {
    expect(loadBetween(at(0, 0, 0, 0), at(1_000, 250_000, 0, 0)).pressure).toBe(0.25);
  });

  test("excludes the bench's own use from that of others", () => {
    expect(loadBetween(at(0, 0, 100, 50), at(1_000, 0, 700, 550)).others).toBe(0.1);
  });

  test('is unknown if the system does not report it', () => {
    const silent = { atMs: 0, waitedUs: null, ticks: null };

    expect(loadBetween(silent, { ...silent, atMs: 9 })).toEqual({ pressure: null, others: null });
  });

  test('counts a process with its descendants only', () => {
    const processes = [
      { pid: 4, parent: 3, ticks: 8 },
      { pid: 3, parent: 2, ticks: 4 },
      { pid: 2, parent: 1, ticks: 2 },
      { pid: 5, parent: 1, ticks: 100 },
    ];

    expect(ticksUnder(2, processes)).toBe(14);
  });

  test('of several windows is their mean, or unknown if one of them is', () => {
    const mean = meanLoad([
      { pressure: 0.1, others: 0.2 },
      { pressure: 0.3, others: null },
    ]);

    expect(mean.pressure).toBeCloseTo(0.2);
    expect(mean.others).toBeNull();
  });
});
