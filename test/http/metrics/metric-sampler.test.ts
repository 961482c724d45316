import { expect, test } from 'vitest';
import { MetricSampler } from '../../../src/http/metrics/metric-sampler.ts';
import type { Counts } from '../../../src/records/history/metric-history.ts';
import { TestClock } from '../../support/test-clock.ts';

test('adds what was counted each minute, again what could not be written, and the rest when it closes', async () => {
  const clock = new TestClock();
  const added: Counts[] = [];
  let isAway = false;
  let counts: Counts = { requests: 3, ended: 0 };
  const sampler = new MetricSampler({
    read: async () => counts,
    history: {
      add: async (sample) => {
        if (isAway) throw new Error('database away');
        added.push(sample);
      },
    },
    clock,
    log: { warn: () => {} },
  });

  await clock.pass(60_000);
  counts = { requests: 5, ended: 1 };
  isAway = true;
  await clock.pass(60_000);
  isAway = false;
  counts = { requests: 6, ended: 1 };
  await clock.pass(60_000);
  counts = { requests: 7, ended: 1 };
  await sampler.close();

  expect(added).toEqual([{ requests: 3 }, { requests: 3, ended: 1 }, { requests: 1 }]);
  expect(clock.waiting).toBe(0);
});

test('writes nothing at the same time, however slow the database is', async () => {
  const clock = new TestClock();
  let writes = 0;
  const written = Promise.withResolvers<void>();
  const sampler = new MetricSampler({
    read: async () => ({ requests: 1 }),
    history: {
      add: () => {
        writes += 1;
        return written.promise;
      },
    },
    clock,
    log: { warn: () => {} },
  });

  await clock.pass(300_000);
  expect(writes).toBe(1);

  written.resolve();
  await sampler.close();
});
