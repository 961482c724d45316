/* Pure: what sessions at an outside service cost, and whether another one fits the limits. */
import type { Period } from '../records/engine/tables/overflow-columns.ts';
import type { Overflow } from '../records/overflow/overflows.ts';
import type { OutsideUse } from '../records/overflow/outside-sessions.ts';

const MINUTE_MS = 60_000;

/** Millionths. */
export const costOf = (lengthMs: number, priceMicros: number): number =>
  Math.ceil((lengthMs * priceMicros) / MINUTE_MS);

export const limitMsOf = ({ maxMinutes }: Pick<Overflow, 'maxMinutes'>): number =>
  maxMinutes * MINUTE_MS;

/** Why the pool's overflow takes no more. */
export type Exhaustion = 'overflow_full' | 'overflow_ceiling';

type Limits = Pick<Overflow, 'maxSessions' | 'maxMinutes' | 'priceMicros' | 'ceilingMicros'>;

/**
 * Null: one more fits. Open sessions count with the most that they may cost, so that the ceiling
 * holds whatever happens to this service.
 */
export function exhaustionOf(limits: Limits, use: OutsideUse): Exhaustion | null {
  if (use.open >= limits.maxSessions) return 'overflow_full';
  const most = costOf(limitMsOf(limits), limits.priceMicros);
  const isOver = use.spentMicros + use.reservedMicros + most > limits.ceilingMicros;
  return isOver ? 'overflow_ceiling' : null;
}

/** Begin of the period in UTC. A session counts in the period in which it was reserved. */
export function periodStart(period: Period, now: number): number {
  const date = new Date(now);
  const day = period === 'day' ? date.getUTCDate() : 1;
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), day);
}

export function periodEnd(period: Period, now: number): number {
  const start = new Date(periodStart(period, now));
  const [month, day] = period === 'day' ? [0, 1] : [1, 0];
  return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + month, start.getUTCDate() + day);
}
