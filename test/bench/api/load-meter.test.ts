import { describe, expect, test } from 'vitest';
import { loadBetween, meanLoad } from './load-meter.ts';

const at = (atMs: number, waitedUs: number, busy: number, bench: number) => ({
  atMs,
  waitedUs,
  ticks: { busy, total: atMs, bench },
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

  test("takes the larger of two figures for the bench's own use", () => {
    expect(loadBetween(at(0, 0, 100, 50), at(1_000, 0, 700, 350), 500).others).toBe(0.1);
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
