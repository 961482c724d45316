import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { summaryOf } from '../../../src/start/tests/summary.ts';

const report = (seconds: number[]): string =>
  JSON.stringify({
    testResults: seconds.map((s) => ({
      name: `/checkout/test/${s}.test.ts`,
      startTime: 1_000,
      endTime: 1_000 + s * 1_000,
    })),
  });

function folder(files: Record<string, string>): string {
  const reports = mkdtempSync(path.join(tmpdir(), 'troupe-reports-'));
  onTestFinished(() => rmSync(reports, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(reports, name), text);
  return reports;
}

test('the summary names the ten slowest files of all reports, slowest first', () => {
  const reports = folder({
    'unit.json': report([1, 3, 5, 7, 9, 11]),
    'journeys.json': report([2, 4, 6, 8, 10, 62.25]),
  });

  const lines = summaryOf(reports, '/checkout');

  expect(lines).toHaveLength(11);
  expect(lines[1]).toBe('   62.3 s  test/62.25.test.ts');
  expect(lines.slice(2).map((line) => Number.parseFloat(line))).toEqual([
    11, 10, 9, 8, 7, 6, 5, 4, 3,
  ]);
});

test('the summary is empty without reports', () => {
  expect(summaryOf('/nowhere', '/checkout')).toEqual([]);
});
