import { describe, expect, test } from 'vitest';
import { comparison, pairs, percent } from './compare.ts';
import type { JudgedRow, Report } from './report.ts';
import { row } from './row.ts';

const machine = { cpu: 'EPYC', threads: 2, memoryGb: 24, kernel: 'Linux 6', node: 'v24' };
const busy = { load: 0.1, pressure: 0.1 };

const judged = (subject: string, values: number[], verdict: JudgedRow['verdict'] = 'met') => ({
  ...row({ what: subject, unit: 'ms', values, goal: { of: 'median', atMost: 100 } }),
  verdict,
});

const reportOf = (rows: JudgedRow[], name = 'speech'): Report => ({
  machine,
  startedAt: '2026-01-01T12:00:00.000Z',
  endedAt: '2026-01-01T12:01:00.000Z',
  busyAtStart: busy,
  busyAtEnd: busy,
  benches: [{ name, seconds: 60, load: { pressure: 0.1, others: 0 }, calmBy: 'pressure', rows }],
});

describe('comparison', () => {
  test('shows each figure before and after, its change and both verdicts', () => {
    const earlier = reportOf([judged('wait', [50, 100], 'met')]);
    const later = reportOf([judged('wait', [120, 150], 'missed')]);

    const text = comparison(earlier, later).replaceAll(/ +/g, ' ');

    expect(text).toContain('speech: wait ms 75 -> 135 +80 % 100 -> 150 +50 % met -> NOT MET');
  });

  test('lists the figures that only one run has', () => {
    const earlier = reportOf([judged('old', [1])]);
    const later = reportOf([judged('new', [1])]);

    expect(pairs(earlier, later)).toMatchObject([
      { what: 'speech: new', earlier: null },
      { what: 'speech: old', later: null },
    ]);
  });

  test('omits benches that only one run has', () => {
    expect(
      pairs(reportOf([judged('wait', [1])], 'clear'), reportOf([judged('wait', [1])])),
    ).toEqual([]);
  });

  test('reports a different machine', () => {
    const earlier = { ...reportOf([judged('wait', [1])]), machine: { ...machine, threads: 64 } };

    expect(comparison(earlier, reportOf([judged('wait', [1])]))).toContain('another machine');
  });

  test('shows verdicts of a busy machine', () => {
    const earlier = reportOf([judged('wait', [1], 'proves nothing')]);

    expect(comparison(earlier, reportOf([judged('wait', [1])]))).toContain('PROVES NOTHING -> met');
  });
});

describe('change in percent', () => {
  test.each([
    [100, 110, '+10 %'],
    [100, 90, '-10 %'],
    [-10, -20, '-100 %'],
    [0, 5, ''],
    [null, 5, ''],
    [5, Infinity, ''],
  ])('from %s to %s is "%s"', (earlier, later, text) => {
    expect(percent(earlier, later)).toBe(text);
  });
});
