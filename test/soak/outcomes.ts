import { table } from '../bench/report/table.ts';

/** The requirements of a soak, and its findings. `note`: details, if it does not hold. */
export type Outcome = { what: string; found: string; limit: string; holds: boolean; note?: string };

const NOTED = 3;

export const atMost = (what: string, found: number, limit: number, unit = ''): Outcome => ({
  what,
  found: `${shown(found)}${unit}`,
  limit: `at most ${shown(limit)}${unit}`,
  // Not a number: it could not be measured.
  holds: found <= limit,
});

export const all = (
  what: string,
  found: number,
  of: number,
  details: readonly string[] = [],
): Outcome => ({
  what,
  found: `${found} of ${of}`,
  limit: 'all',
  holds: found === of && of > 0,
  ...noted(details),
});

/** `problems`: none if it holds. */
export const without = (what: string, problems: readonly string[]): Outcome => ({
  what,
  found: problems.length === 0 ? 'yes' : 'no',
  limit: 'yes',
  holds: problems.length === 0,
  ...noted(problems),
});

/** The first of them. */
function noted(details: readonly string[]): { note?: string } {
  if (details.length === 0) return {};
  const more = details.length > NOTED ? `; and ${details.length - NOTED} more` : '';
  return { note: details.slice(0, NOTED).join('; ') + more };
}

const ALIGN: ('left' | 'right')[] = ['left', 'left', 'left', 'left'];

export function outcomeTable(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ what, found, limit, holds }) => [
    what,
    found,
    limit,
    holds ? 'held' : 'NOT HELD',
  ]);
  const notes = outcomes.map(({ note }) => note);
  return table([['', 'found', 'limit', ''], ...rows], [undefined, ...notes], ALIGN);
}

const shown = (value: number): string =>
  Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 2 : 1);
