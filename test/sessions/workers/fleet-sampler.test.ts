import { expect, test } from 'vitest';
import { FleetSampler } from '../../../src/sessions/workers/fleet-sampler.ts';
import { TestClock } from '../../support/test-clock.ts';

const MINUTE_MS = 60_000;
const counts = {
  workers: 0,
  draining: 0,
  slots: 0,
  free: 0,
  waiting: 0,
  oldestWaitMs: 0,
  leases: 0,
};

test('a slow database delays the newest sample, and earlier ones that were due meanwhile are left out', async () => {
  const clock = new TestClock();
  const written: number[] = [];
  let answer = Promise.withResolvers<void>();
  const sampler = new FleetSampler({
    fleet: {
      workers: async () => [],
      counts: async () => counts,
    },
    history: {
      add: (at) => {
        written.push(at);
        return answer.promise;
      },
      rollUp: async () => {},
      points: async () => [],
    },
    clock,
    log: { warn: () => {} },
  });
  sampler.start();
  await clock.pass(4 * MINUTE_MS);
  expect(written).toHaveLength(1);
  const [firstSample] = written;

  answer.resolve();
  answer = Promise.withResolvers();
  await clock.pass(0);
  expect(written).toEqual([firstSample, firstSample! + 3 * MINUTE_MS]);

  const closed = sampler.close();
  answer.resolve();
  await closed;
  await clock.pass(MINUTE_MS);
  expect(written).toHaveLength(2);
});
