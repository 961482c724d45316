/*
 * The pools with an overflow, as this control plane knows them: settings and keys from the records,
 * the use of the limits, and which providers rest after a failure.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { OverflowRecords, OverflowTarget } from '../records/overflow/overflows.ts';
import type { OutsideSessionRecords, OutsideUse } from '../records/overflow/outside-sessions.ts';
import { exhaustionOf, periodEnd, periodStart, type Exhaustion } from './budget.ts';

type OverflowPoolsParts = {
  overflows: Pick<OverflowRecords, 'all'>;
  outsideSessions: Pick<OutsideSessionRecords, 'use'>;
  clock: Clock;
  log: Log;
};

/** A pool's overflow without its key. */
export type OverflowStatus = {
  overflow: Omit<OverflowTarget, 'apiKey'>;
  use: OutsideUse;
  /** Why it takes no more; null: it does. */
  exhaustion: Exhaustion | 'resting' | null;
  /** The last failure, in words for the operator; null once a request has succeeded. */
  problem: string | null;
  /** End of the period, in milliseconds since the epoch. */
  resetsAt: number;
};

/** After a failure, no new session is sent there for as long. */
const REST_MS = 10_000;

export class OverflowPools {
  readonly #parts: OverflowPoolsParts;
  #targets = new Map<string, OverflowTarget>();
  #known: OverflowStatus[] = [];
  readonly #problems = new Map<string, { problem: string; until: number }>();

  constructor(parts: OverflowPoolsParts) {
    this.#parts = parts;
  }

  /** As of the last `refresh`. */
  get known(): readonly OverflowStatus[] {
    return this.#known;
  }

  target(pool: string): OverflowTarget | null {
    return this.#targets.get(pool) ?? null;
  }

  /** Reads what was changed here or at another control plane. */
  async refresh(): Promise<void> {
    const all = await this.#parts.overflows.all();
    this.#targets = new Map(all.map((target) => [target.pool, target]));
    for (const pool of this.#problems.keys())
      if (!this.#targets.has(pool)) this.#problems.delete(pool);
    this.#known = await Promise.all(all.map((target) => this.#statusOf(target)));
  }

  isResting(pool: string): boolean {
    return (this.#problems.get(pool)?.until ?? 0) > this.#parts.clock.elapsed();
  }

  failed(pool: string, problem: string): void {
    const { clock, log } = this.#parts;
    log.warn({ pool, problem }, 'overflow failed');
    this.#problems.set(pool, { problem, until: clock.elapsed() + REST_MS });
  }

  succeeded(pool: string): void {
    this.#problems.delete(pool);
  }

  async #statusOf(target: OverflowTarget): Promise<OverflowStatus> {
    const { apiKey: _apiKey, ...overflow } = target;
    const { outsideSessions, clock } = this.#parts;
    const { pool, period } = overflow;
    const now = clock.now();
    const use = await outsideSessions.use(pool, periodStart(period, now));
    const resting = this.isResting(pool) ? 'resting' : null;
    return {
      overflow,
      use,
      exhaustion: exhaustionOf(overflow, use) ?? resting,
      problem: this.#problems.get(pool)?.problem ?? null,
      resetsAt: periodEnd(period, now),
    };
  }
}
