import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

type Report = { testResults: { name: string; startTime: number; endTime: number }[] };

const COUNT = 10;

/** One line for each of the slowest test files in Vitest's JSON reports. `npm test` prints them at its end. */
export function slowestFiles(reports: string, root: string): string[] {
  // A run that failed to start wrote no report.
  if (!existsSync(reports)) return [];
  const files = readdirSync(reports).flatMap((name) => {
    const { testResults } = JSON.parse(readFileSync(path.join(reports, name), 'utf8')) as Report;
    return testResults.map((file) => ({
      name: path.relative(root, file.name),
      seconds: (file.endTime - file.startTime) / 1000,
    }));
  });
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, COUNT);
  return [
    'Slowest files:',
    ...slowest.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`),
  ];
}
