import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

type File = { name: string; startTime: number; endTime: number };

const COUNT = 10;

/**
 * From Vitest's JSON reports: a line for each of the slowest test files. `npm test` prints them at
 * its end.
 */
export function summaryOf(reports: string, root: string): string[] {
  // A run that failed to start wrote no report.
  if (!existsSync(reports)) return [];
  const files = readdirSync(reports).flatMap((name) => {
    const text = readFileSync(path.join(reports, name), 'utf8');
    return (JSON.parse(text) as { testResults: File[] }).testResults;
  });
  return slowest(files, root);
}

function slowest(files: File[], root: string): string[] {
  const lasted = files.map(({ name, startTime, endTime }) => ({
    name: path.relative(root, name),
    seconds: (endTime - startTime) / 1000,
  }));
  return [
    'Slowest files:',
    ...lasted
      .toSorted((a, b) => b.seconds - a.seconds)
      .slice(0, COUNT)
      .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`),
  ];
}
