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
  readonly #problems = new Map<string, string>();
  /**
   * By pool, when its provider is asked again: for an avatar that it does not know, and for all
   * (null).
   */
  readonly #rests = new Map<string, Map<string | null, number>>();

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
    const targets = await this.#parts.overflows.all();
    this.#targets = new Map(targets.map((target) => [target.pool, target]));
    for (const pool of this.#rests.keys()) {
      if (this.#targets.has(pool)) continue;
      this.#problems.delete(pool);
      this.#rests.delete(pool);
    }
    this.#known = await Promise.all(targets.map((target) => this.#statusOf(target)));
  }

  /** Whether the provider is left alone for a while, with sessions of this avatar or with all. */
  isResting(pool: string, avatarId: string | null = null): boolean {
    const now = this.#parts.clock.elapsed();
    const rests = this.#rests.get(pool);
    return [null, avatarId].some((each) => (rests?.get(each) ?? 0) > now);
  }

  /** `avatarId`: only its sessions failed. */
  failed(pool: string, problem: string, avatarId: string | null = null): void {
    const { clock, log } = this.#parts;
    log.warn({ pool, problem, avatarId }, 'overflow failed');
    this.#problems.set(pool, problem);
    const rests = this.#rests.get(pool) ?? new Map<string | null, number>();
    this.#rests.set(pool, rests.set(avatarId, clock.elapsed() + REST_MS));
  }

  /** An avatar that it did not know rests on. */
  succeeded(pool: string): void {
    this.#problems.delete(pool);
    this.#rests.get(pool)?.delete(null);
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
      problem: this.#problems.get(pool) ?? null,
      resetsAt: periodEnd(period, now),
    };
  }
}
