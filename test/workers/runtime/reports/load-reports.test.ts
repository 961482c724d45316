import { expect, test } from 'vitest';
import type { Load } from '#protocol/worker/worker-messages.ts';
import { LoadReports } from '../../../../workers/runtime/reports/load-reports.ts';
import { TestClock } from '../../../support/test-clock.ts';

test('names all sessions every five seconds, however often the load changes', () => {
  const clock = new TestClock();
  const reports: (Load & { atMs: number })[] = [];
  const performing = [{ sessionId: 'session-1', epoch: 1 }];
  const load = new LoadReports({
    clock,
    send: (report) => reports.push({ ...report, atMs: clock.elapsed() }),
    performing: () => performing,
    drain: () => ({ hasBegun: false, leftMs: null }),
  });
  const begunAt = clock.elapsed();

  for (let changes = 0; changes < 10; changes++) {
    load.send();
    clock.advance(2_000);
  }

  const fullReports = reports.filter(({ sessions }) => sessions !== undefined);
  expect(fullReports.map(({ atMs }) => atMs - begunAt)).toEqual([5_000, 10_000, 15_000, 20_000]);
  expect(fullReports.every(({ sessions }) => sessions === performing)).toBe(true);
  expect(reports.length - fullReports.length).toBe(10);
  load.close();
  expect(clock.waiting).toBe(0);
});
