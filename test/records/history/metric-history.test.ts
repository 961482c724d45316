import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../../src/records/engine/database.ts';
import { metricHistory, type MetricHistory } from '../../../src/records/history/metric-history.ts';
import { newDatabase } from '../../support/records/database.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 0, 1, 12, 7, 30);

let db: Database;
let history: MetricHistory;
beforeEach(async () => {
  db = await newDatabase();
  history = metricHistory(db);
});
afterEach(() => db.destroy());

test('counts of several control planes are added up, by windows', async () => {
  await history.add({ ended: 2, failovers_avatar: 1 }, NOW - 2 * DAY);
  await history.add({ ended: 3 }, NOW - 20 * MINUTE);
  await history.add({ ended: 4 }, NOW - MINUTE);
  await history.add({ ended: 5 }, NOW - MINUTE);
  await history.add({}, NOW);

  const [short, hour, days] = await history.sums([5 * MINUTE, HOUR, 3 * DAY], NOW);

  expect(short).toEqual({ ended: 9 });
  expect(hour).toEqual({ ended: 12 });
  expect(days).toEqual({ ended: 14, failovers_avatar: 1 });
});

test('a chart gets each step that has counts', async () => {
  const at = Date.UTC(2026, 0, 1, 12);
  await history.add({ handovers: 1 }, at - 10 * MINUTE);
  await history.add({ handovers: 2, ended: 7 }, at);
  await history.add({ failovers_avatar: 3 }, at + MINUTE);
  const names = ['handovers', 'failovers_avatar'];

  const minutes = await history.points({ from: at, stepSeconds: 60, names });
  const hours = await history.points({ from: at - HOUR, stepSeconds: 3_600, names });

  expect(minutes).toEqual([
    { at, counts: { handovers: 2 } },
    { at: at + MINUTE, counts: { failovers_avatar: 3 } },
  ]);
  expect(hours).toEqual([
    { at: at - HOUR, counts: { handovers: 1 } },
    { at, counts: { handovers: 2, failovers_avatar: 3 } },
  ]);
});

test('minutes are kept for a day, and quarters of an hour for two months', async () => {
  await history.add({ ended: 1 }, NOW);

  await history.add({ ended: 1 }, NOW + 27 * HOUR);
  expect(await steps()).toEqual([60, 900, 900]);
  await history.add({ ended: 1 }, NOW + 64 * DAY);
  expect(await steps()).toEqual([60, 900]);
});

async function steps(): Promise<number[]> {
  const rows = await db.selectFrom('metric_history').select('step_seconds').execute();
  return rows.map(({ step_seconds }) => step_seconds).toSorted((a, b) => a - b);
}
