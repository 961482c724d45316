import { writeFileSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Verdict } from './judge.ts';
import type { Busyness, Machine } from '../machine.ts';
import { shareText, type CalmBy, type Goal, type Load, type Row } from './row.ts';
import { table } from './table.ts';

export type JudgedRow = Row & { verdict: Verdict };

export type Result = {
  name: string;
  seconds: number;
  load: Load;
  calmBy: CalmBy;
  rows: JudgedRow[];
  /** The error, if it has no rows. */
  error?: string;
};

export type Report = {
  machine: Machine;
  startedAt: string;
  endedAt: string;
  busyAtStart: Busyness;
  busyAtEnd: Busyness;
  benches: Result[];
};

export function writeReport(file: string, report: Report): void {
  mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
}

/** Throws if the file is not a bench report. */
export function readReport(file: string): Report {
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report | null;
  if (!Array.isArray(report?.benches)) throw new Error('not a bench report');
  return report;
}

export const machineText = ({ cpu, threads, memoryGb, kernel, node }: Machine): string =>
  `${cpu}, ${threads} threads, ${memoryGb} GB, ${kernel}, Node ${node}`;

export const busyText = ({ load, pressure }: Busyness): string =>
  `load ${load.toFixed(2)}, pressure ${shareText(pressure)}`;

export const headline = ({ name, seconds, load }: Result): string =>
  `${name} (${seconds.toFixed(0)} s, pressure ${shareText(load.pressure)}, other programs ${shareText(load.others)})`;

export function resultTable({ rows }: Result): string {
  const columns = ['', 'unit', 'median', 'worst', 'floor', 'worst', 'ratio', 'goal', ''];
  const cells = rows.map((row) => [
    row.what,
    row.unit,
    figure(row.median),
    figure(row.worst),
    row.floor ? figure(row.floor.median) : '',
    row.floor ? figure(row.floor.worst) : '',
    row.ratio === undefined ? '' : `${row.ratio.toFixed(2)}x`,
    row.goal ? goalText(row.goal) : '',
    verdictText(row),
  ]);
  return table(
    [columns, ...cells],
    [undefined, ...rows.map(({ note }) => note)],
    ['left', 'left', 'right', 'right', 'right', 'right', 'right', 'left', 'left'],
  );
}

export function verdictText({ verdict, load }: JudgedRow): string {
  if (verdict === 'no goal') return '';
  if (verdict === 'met') return 'met';
  if (verdict === 'missed') return 'NOT MET';
  const during = load
    ? ` (pressure ${shareText(load.pressure)}, other programs ${shareText(load.others)})`
    : '';
  return `PROVES NOTHING${during}`;
}

export function goalText(goal: Goal): string {
  if ('atMost' in goal) return `${goal.of} <= ${goal.atMost}`;
  if ('atLeast' in goal) return `${goal.of} >= ${goal.atLeast}`;
  return `${goal.of} within +-${goal.within}`;
}

/** JSON has no infinity: an infinite value reads back as null. */
export function figure(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return 'none';
  if (Number.isInteger(value)) return String(value);
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 1 ? 2 : 4);
}
