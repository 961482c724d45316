/*
 * The history of the fleet for charts: a sample a minute, kept for a day, and quarters of an hour,
 * kept for two months.
 */
import { sql } from 'kysely';
import type { Database } from '../engine/database.ts';

export const MINUTE_SECONDS = 60;
export const QUARTER_SECONDS = 900;
/** By their length. */
export const KEPT_MS = { [MINUTE_SECONDS]: 26 * 3_600_000, [QUARTER_SECONDS]: 62 * 86_400_000 };

export type FleetSample = { workers: number; slots: number; taken: number; waiting: number };

/** Averages, and the highest values of a minute. */
export type FleetPoint = FleetSample & { at: number; takenPeak: number; waitingPeak: number };

export interface FleetHistory {
  /** `at`: the beginning of a minute. Another control plane may have been first. */
  add(at: number, sample: FleetSample): Promise<void>;
  /** Joins the minutes of the quarter that begins `at`, and deletes what is too old. */
  rollUp(at: number): Promise<void>;
  /** Oldest first, `stepSeconds` apart. A step without samples is left out. */
  points(span: { from: number; stepSeconds: number }): Promise<FleetPoint[]>;
}

const sums = ['samples', 'workers', 'slots', 'taken', 'waiting'] as const;
const peaks = ['taken_peak', 'waiting_peak'] as const;

export function fleetHistory(db: Database): FleetHistory {
  /** Selects rows of `step` within the span, grouped by `groupSeconds`. */
  const grouped = (step: number, from: number, to: number, groupSeconds: number) =>
    db
      .selectFrom('fleet_history')
      // Integer division in both databases.
      .select(
        sql<number>`at / ${sql.lit(groupSeconds * 1000)} * ${sql.lit(groupSeconds * 1000)}`.as(
          'at',
        ),
      )
      .select((row) => sums.map((name) => row.fn.sum<number | string>(name).as(name)))
      .select((row) => peaks.map((name) => row.fn.max(name).as(name)))
      .where('step_seconds', '=', step)
      .where('at', '>=', from)
      .where('at', '<', to)
      .groupBy(sql`1`)
      .orderBy(sql`1`);

  return {
    async add(at, { workers, slots, taken, waiting }) {
      await db
        .insertInto('fleet_history')
        .values({
          step_seconds: MINUTE_SECONDS,
          at,
          samples: 1,
          workers,
          slots,
          taken,
          waiting,
          taken_peak: taken,
          waiting_peak: waiting,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    async rollUp(at) {
      const to = at + QUARTER_SECONDS * 1000;
      const [quarter] = await grouped(MINUTE_SECONDS, at, to, QUARTER_SECONDS).execute();
      if (quarter) {
        const numbers = Object.fromEntries(sums.map((name) => [name, Number(quarter[name])]));
        await db
          .insertInto('fleet_history')
          .values({
            ...(numbers as Record<(typeof sums)[number], number>),
            step_seconds: QUARTER_SECONDS,
            at,
            taken_peak: quarter.taken_peak,
            waiting_peak: quarter.waiting_peak,
          })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
      for (const [step, keptMs] of Object.entries(KEPT_MS)) {
        await db
          .deleteFrom('fleet_history')
          .where('step_seconds', '=', Number(step))
          .where('at', '<', at - keptMs)
          .execute();
      }
    },

    async points({ from, stepSeconds }) {
      const storedSeconds = stepSeconds < QUARTER_SECONDS ? MINUTE_SECONDS : QUARTER_SECONDS;
      const rows = await grouped(
        storedSeconds,
        from,
        Number.MAX_SAFE_INTEGER,
        stepSeconds,
      ).execute();
      return rows.map((row) => {
        const mean = (sum: number | string) =>
          Math.round((Number(sum) / Number(row.samples)) * 100) / 100;
        return {
          at: row.at,
          workers: mean(row.workers),
          slots: mean(row.slots),
          taken: mean(row.taken),
          waiting: mean(row.waiting),
          takenPeak: row.taken_peak,
          waitingPeak: row.waiting_peak,
        };
      });
    },
  };
}
