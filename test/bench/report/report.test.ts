import { describe, expect, test } from 'vitest';
import { figure, goalText, resultTable, type JudgedRow } from './report.ts';
import { row } from './row.ts';

const load = { pressure: 0.1, others: 0 };
const tableOf = (rows: JudgedRow[]) =>
  resultTable({ name: 'speech', seconds: 1, load, calmBy: 'pressure', rows });

const waitRow = row({
  what: 'wait',
  unit: 'ms',
  values: [10, 90, 20],
  floor: [5, 10, 40],
  goal: { of: 'worst', atMost: 80 },
  note: 'of three',
});

describe('the table of a bench', () => {
  test('has medians, worst values, the floor, the goal and the verdict', () => {
    const text = tableOf([{ ...waitRow, verdict: 'missed' }]).replaceAll(/ +/g, ' ');

    expect(text).toContain('wait ms 20 90 10 40 2.00x worst <= 80 NOT MET');
    expect(text).toContain('of three');
  });

  test("shows the row's own load when it proves nothing", () => {
    const busy = { pressure: 0.5, others: 0.25 };

    const text = tableOf([{ ...waitRow, load: busy, verdict: 'proves nothing' }]);

    expect(text).toContain('PROVES NOTHING (pressure 0.50, other programs 0.25)');
  });

  test('aligns its columns', () => {
    const lines = tableOf([
      { ...row({ what: 'short', unit: 'ms', values: 1 }), verdict: 'no goal' },
      { ...row({ what: 'much longer than that', unit: 'ms', values: 1234 }), verdict: 'no goal' },
    ]).split('\n');

    expect(lines[1]!.length).toBe(lines[2]!.length);
  });
});

test.each([
  [{ of: 'median', atMost: 20 } as const, 'median <= 20'],
  [{ of: 'worst', atLeast: 24.9 } as const, 'worst >= 24.9'],
  [{ of: 'median', within: 5 } as const, 'median within +-5'],
])('the goal %j reads %s', (goal, text) => {
  expect(goalText(goal)).toBe(text);
});

test.each([
  [1234.5, '1235'],
  [25, '25'],
  [24.98, '24.98'],
  [1.234, '1.23'],
  [0.12345, '0.1235'],
  [Infinity, 'none'],
  [null, 'none'],
])('the figure %s reads %s', (value, text) => {
  expect(figure(value)).toBe(text);
});
