import { table } from '../bench/report/table.ts';

/** The requirements of a soak, and its findings. `note`: details, if it does not hold. */
export type Outcome = {
  requirement: string;
  value: string;
  limit: string;
  holds: boolean;
  note?: string;
};

const NOTED = 3;

export const atMost = (requirement: string, value: number, limit: number, unit = ''): Outcome => ({
  requirement,
  value: `${figureText(value)}${unit}`,
  limit: `at most ${figureText(limit)}${unit}`,
  // Not a number: it could not be measured.
  holds: value <= limit,
});

export const atLeast = (requirement: string, value: number, limit: number): Outcome => ({
  requirement,
  value: figureText(value),
  limit: `at least ${figureText(limit)}`,
  holds: value >= limit,
});

export const allOf = (
  requirement: string,
  value: number,
  of: number,
  details: readonly string[] = [],
): Outcome => ({
  requirement,
  value: `${value} of ${of}`,
  limit: 'all',
  holds: value === of && of > 0,
  ...noted(details),
});

/** `problems`: none if it holds. */
export const without = (requirement: string, problems: readonly string[]): Outcome => ({
  requirement,
  value: problems.length === 0 ? 'yes' : 'no',
  limit: 'yes',
  holds: problems.length === 0,
  ...noted(problems),
});

/** The first of them. */
function noted(details: readonly string[]): { note?: string } {
  if (details.length === 0) return {};
  const remainder = details.length > NOTED ? `; and ${details.length - NOTED} more` : '';
  return { note: details.slice(0, NOTED).join('; ') + remainder };
}

const ALIGN: ('left' | 'right')[] = ['left', 'left', 'left', 'left'];

export function outcomeTable(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ requirement, value, limit, holds }) => [
    requirement,
    value,
    limit,
    holds ? 'held' : 'NOT HELD',
  ]);
  const notes = outcomes.map(({ note }) => note);
  return table([['', 'found', 'limit', ''], ...rows], [undefined, ...notes], ALIGN);
}

const figureText = (value: number): string =>
  Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 2 : 1);
