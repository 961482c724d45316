import { median } from '../machine.ts';

/** Measure of a calm machine for a figure: see `judge.ts`. */
export type CalmBy = 'pressure' | 'others' | 'always';

/** Shares of time, 0..1; null if the system does not report them. */
export type Load = { pressure: number | null; others: number | null };

/** `within` limits the distance from zero. */
export type Goal = { of: 'median' | 'worst' | 'ratio' } & (
  | { atMost: number }
  | { atLeast: number }
  | { within: number }
);

/** A single figure is its own median and worst value. */
export type Row = {
  /** The key of the figure in `--compare`, so it contains no measured value. */
  what: string;
  unit: string;
  median: number;
  worst: number;
  floor?: { median: number; worst: number };
  /** Median over the floor's median. */
  ratio?: number;
  goal?: Goal;
  note?: string;
  /** Machine load during this figure. Default: during the whole bench. */
  load?: Load;
  /** Default: the bench's. */
  calmBy?: CalmBy;
};

type Figure = Pick<Row, 'what' | 'unit' | 'goal' | 'note' | 'load' | 'calmBy'> & {
  values: number | number[];
  floor?: number | number[];
  /** Required only if no goal implies it. */
  better?: 'higher' | 'lower';
};

/** Computes median, worst value and ratio. */
export function row({ values, floor, better, ...facts }: Figure): Row {
  const worstOf = worstFor(facts.goal, better);
  const sides = (of: number | number[]) => {
    const list = typeof of === 'number' ? [of] : of;
    return list.length === 0
      ? { median: Number.NaN, worst: Number.NaN }
      : { median: median(list), worst: worstOf(list) };
  };
  const figures = sides(values);
  if (floor === undefined) return { ...facts, ...figures };
  const below = sides(floor);
  return {
    ...facts,
    ...figures,
    floor: below,
    ...(below.median > 0 && { ratio: figures.median / below.median }),
  };
}

function worstFor(goal: Goal | undefined, better?: 'higher' | 'lower') {
  if (goal && 'within' in goal) {
    return (list: number[]) =>
      list.reduce((far, value) => (Math.abs(value) > Math.abs(far) ? value : far));
  }
  const isHigherBetter = better ? better === 'higher' : goal !== undefined && 'atLeast' in goal;
  return (list: number[]) =>
    list.reduce((a, b) => (isHigherBetter ? Math.min(a, b) : Math.max(a, b)));
}

export function quantile(values: number[], at: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? Number.NaN;
}

export const shareText = (share: number | null): string =>
  share === null ? 'unknown' : share.toFixed(2);
