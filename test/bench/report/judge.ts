/*
 * Judges all goals. On a busy machine neither a met nor a missed goal proves anything. Each figure
 * has its measure of calm:
 *   others     CPU time of other programs, for benches that fill the machine themselves
 *   pressure   additionally, the share of time in which a task waited for a processor; the default
 *   always     figures independent of load: scores of fixed input, memory, counts
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

/** A missed goal outranks a goal that was not judged. */
export function exitCode(verdicts: Verdict[]): number {
  if (verdicts.includes('missed')) return EXIT.missed;
  return verdicts.includes('proves nothing') ? EXIT.provesNothing : EXIT.good;
}
