import { figure, machineText, verdictText, type JudgedRow, type Report } from './report.ts';
import { table } from './table.ts';

/** A figure that one run lacks is null there. */
type Pair = { what: string; before: JudgedRow | null; after: JudgedRow | null };

/** Covers the benches of both runs. */
export function pairs(before: Report, after: Report): Pair[] {
  return after.benches.flatMap(({ name, rows }) => {
    const earlier = before.benches.find((bench) => bench.name === name)?.rows;
    if (!earlier) return [];
    const gone = earlier.filter(({ what }) => !rowOf(rows, what));
    return [
      ...rows.map((row) => ({
        what: `${name}: ${row.what}`,
        before: rowOf(earlier, row.what),
        after: row,
      })),
      ...gone.map((row) => ({ what: `${name}: ${row.what}`, before: row, after: null })),
    ];
  });
}

const rowOf = (rows: JudgedRow[], what: string): JudgedRow | null =>
  rows.find((row) => row.what === what) ?? null;

export function comparison(before: Report, after: Report): string {
  const all = pairs(before, after);
  if (all.length === 0) return 'The runs have no bench in common.';
  const other =
    machineText(before.machine) === machineText(after.machine)
      ? ''
      : `\nIt ran on another machine: ${machineText(before.machine)}`;
  const columns = ['', 'unit', 'median', '', '', '', 'worst', '', '', '', 'goal'];
  const cells = all.map(({ what, before, after }) => [
    what,
    (after ?? before)!.unit,
    ...change(before?.median, after?.median),
    ...change(before?.worst, after?.worst),
    [before, after].map((row) => (row ? verdictText(row) : '')).join(' -> '),
  ]);
  const notes = Array.from({ length: cells.length + 1 }, () => undefined);
  return `Before (${before.startedAt}) and after${other}\n${table(
    [columns, ...cells.map((row) => (row.at(-1) === ' -> ' ? row.slice(0, -1) : row))],
    notes,
    ['left', 'left', 'right', 'left', 'right', 'right', 'right', 'left', 'right', 'right', 'left'],
  )}`;
}

/** `undefined`: the run lacks the figure. null: the figure was not finite. */
function change(before: number | null | undefined, after: number | null | undefined): string[] {
  return [
    before === undefined ? '-' : figure(before),
    '->',
    after === undefined ? '-' : figure(after),
    percent(before, after),
  ];
}

export function percent(
  before: number | null | undefined,
  after: number | null | undefined,
): string {
  if (!before || after === null || after === undefined || !Number.isFinite(after / before))
    return '';
  const share = Math.round((100 * (after - before)) / Math.abs(before));
  return `${share > 0 ? '+' : ''}${share} %`;
}
