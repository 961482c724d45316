import { figure, machineText, verdictText, type JudgedRow, type Report } from './report.ts';
import { table } from './table.ts';

/** A figure that one run lacks is null there. */
type Pair = { what: string; earlier: JudgedRow | null; later: JudgedRow | null };

/** Covers the benches of both runs. */
export function pairs(earlier: Report, later: Report): Pair[] {
  return later.benches.flatMap(({ name, rows }) => {
    const earlierRows = earlier.benches.find((bench) => bench.name === name)?.rows;
    if (!earlierRows) return [];
    const missingRows = earlierRows.filter(({ what }) => !rowOf(rows, what));
    return [
      ...rows.map((row) => ({
        what: `${name}: ${row.what}`,
        earlier: rowOf(earlierRows, row.what),
        later: row,
      })),
      ...missingRows.map((row) => ({ what: `${name}: ${row.what}`, earlier: row, later: null })),
    ];
  });
}

const rowOf = (rows: JudgedRow[], subject: string): JudgedRow | null =>
  rows.find((row) => row.what === subject) ?? null;

export function comparison(earlier: Report, later: Report): string {
  const rowPairs = pairs(earlier, later);
  if (rowPairs.length === 0) return 'The runs have no bench in common.';
  const machineNote =
    machineText(earlier.machine) === machineText(later.machine)
      ? ''
      : `\nIt ran on another machine: ${machineText(earlier.machine)}`;
  const columns = ['', 'unit', 'median', '', '', '', 'worst', '', '', '', 'goal'];
  const cells = rowPairs.map(({ what, earlier, later }) => [
    what,
    (later ?? earlier)!.unit,
    ...change(earlier?.median, later?.median),
    ...change(earlier?.worst, later?.worst),
    [earlier, later].map((row) => (row ? verdictText(row) : '')).join(' -> '),
  ]);
  const notes = Array.from({ length: cells.length + 1 }, () => undefined);
  return `Before (${earlier.startedAt}) and after${machineNote}\n${table(
    [columns, ...cells.map((row) => (row.at(-1) === ' -> ' ? row.slice(0, -1) : row))],
    notes,
    ['left', 'left', 'right', 'left', 'right', 'right', 'right', 'left', 'right', 'right', 'left'],
  )}`;
}

/** `undefined`: the run lacks the figure. null: the figure was not finite. */
function change(earlier: number | null | undefined, later: number | null | undefined): string[] {
  return [
    earlier === undefined ? '-' : figure(earlier),
    '->',
    later === undefined ? '-' : figure(later),
    percent(earlier, later),
  ];
}

export function percent(
  earlier: number | null | undefined,
  later: number | null | undefined,
): string {
  if (!earlier || later === null || later === undefined || !Number.isFinite(later / earlier))
    return '';
  const share = Math.round((100 * (later - earlier)) / Math.abs(earlier));
  return `${share > 0 ? '+' : ''}${share} %`;
}
