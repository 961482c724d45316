/*
 * All goals are judged here, met and missed alike: on a busy machine neither proves anything. What counts as busy depends on the figure:
 *   others     the processors' time that went to other programs, for benches that fill the machine themselves
 *   pressure   besides, the share of time in which something waited for a processor; the default
 *   always     figures that no load can change: scores of fixed input, memory, counts
 */
import type { CalmBy, Goal, Load, Row } from './row.ts';

export const PRESSURE_MAX = 0.3;
export const OTHERS_MAX = 0.05;

export type Verdict = 'met' | 'missed' | 'proves nothing' | 'no goal';

export function judge(row: Row, load: Load, calmBy: CalmBy): Verdict {
  if (!row.goal) return 'no goal';
  if (!isCalm(row.load ?? load, row.calmBy ?? calmBy)) return 'proves nothing';
  return isMet(row, row.goal) ? 'met' : 'missed';
}

/** An unknown load is not calm. */
export function isCalm({ pressure, others }: Load, by: CalmBy): boolean {
  if (by === 'always') return true;
  if (others === null || others > OTHERS_MAX) return false;
  return by === 'others' || (pressure !== null && pressure <= PRESSURE_MAX);
}

function isMet(row: Row, goal: Goal): boolean {
  const value = row[goal.of] ?? Number.NaN;
  if ('atMost' in goal) return value <= goal.atMost;
  if ('atLeast' in goal) return value >= goal.atLeast;
  return Math.abs(value) <= goal.within;
}

export const EXIT = { good: 0, missed: 1, usage: 2, provesNothing: 3 } as const;

/** A missed goal weighs more than one that could not be judged. */
export function exitCode(verdicts: Verdict[]): number {
  if (verdicts.includes('missed')) return EXIT.missed;
  return verdicts.includes('proves nothing') ? EXIT.provesNothing : EXIT.good;
}
