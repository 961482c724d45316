/*
 * Counts over time, summed over all control planes: by minutes for a day, and by quarters of an
 * hour for two months.
 */
import { sql } from 'kysely';
import type { Database } from '../engine/database.ts';
import { KEPT_MS, MINUTE_SECONDS, QUARTER_SECONDS } from './fleet-history.ts';

const STEPS = [MINUTE_SECONDS, QUARTER_SECONDS] as const;

/** Windows of at most this are read from minutes. */
const BY_MINUTES_MS = 3_600_000;

export type Counts = Readonly<Record<string, number>>;

export interface MetricHistory {
  /** Adds to the step of `now`. Deletes what is too old. */
  add(counts: Counts, now: number): Promise<void>;
  /** The sums of the last `windowMs`, a whole number of steps, for each window. */
  sums(windowsMs: readonly number[], now: number): Promise<Counts[]>;
  /** Oldest first, `stepSeconds` apart. A step without counts is left out. */
  points(span: {
    from: number;
    stepSeconds: number;
    names: readonly string[];
  }): Promise<{ at: number; counts: Counts }[]>;
}

export const metricHistory = (db: Database): MetricHistory => ({
  async add(counts, now) {
    const rows = STEPS.flatMap((step) =>
      Object.entries(counts).map(([name, count]) => ({
        step_seconds: step,
        at: beginOf(now, step),
        name,
        count,
      })),
    );
    if (rows.length === 0) return;
    await db
      .insertInto('metric_history')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['step_seconds', 'at', 'name'])
          .doUpdateSet({ count: sql`metric_history.count + excluded.count` }),
      )
      .execute();
    for (const step of STEPS) {
      await db
        .deleteFrom('metric_history')
        .where('step_seconds', '=', step)
        .where('at', '<', now - KEPT_MS[step])
        .execute();
    }
  },

  async sums(windowsMs, now) {
    const results = await Promise.all(
      windowsMs.map((windowMs) => {
        const step = windowMs <= BY_MINUTES_MS ? MINUTE_SECONDS : QUARTER_SECONDS;
        return db
          .selectFrom('metric_history')
          .select('name')
          .select((row) => row.fn.sum<number | string>('count').as('count'))
          .where('step_seconds', '=', step)
          .where('at', '>', now - windowMs)
          .groupBy('name')
          .execute();
      }),
    );
    return results.map((rows) =>
      Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)])),
    );
  },

  async points({ from, stepSeconds, names }) {
    const storedSeconds = stepSeconds < QUARTER_SECONDS ? MINUTE_SECONDS : QUARTER_SECONDS;
    const step = sql.lit(stepSeconds * 1000);
    const rows = await db
      .selectFrom('metric_history')
      // Integer division in both databases.
      .select(sql<number>`at / ${step} * ${step}`.as('at'))
      .select('name')
      .select((row) => row.fn.sum<number | string>('count').as('count'))
      .where('step_seconds', '=', storedSeconds)
      .where('at', '>=', from)
      .where('name', 'in', names)
      .groupBy([sql`1`, 'name'])
      .orderBy(sql`1`)
      .execute();
    const points = new Map<number, Record<string, number>>();
    for (const { at, name, count } of rows) {
      const counts = points.get(at) ?? {};
      counts[name] = Number(count);
      points.set(at, counts);
    }
    return [...points].map(([at, counts]) => ({ at, counts }));
  },
});

const beginOf = (now: number, stepSeconds: number): number =>
  Math.floor(now / (stepSeconds * 1000)) * stepSeconds * 1000;
