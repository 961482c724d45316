import { describe, expect, test } from 'vitest';
import { planOf } from './plan.ts';

describe('the plan of a soak', () => {
  test('has requests almost all the time, and ends when it is over', () => {
    const { loadSeconds, endsAtMs } = planOf(30);

    expect(loadSeconds).toBe(25.5 * 60);
    expect(endsAtMs).toBe(1_800_000);
  });

  test.each([2, 30])('disturbs while requests come, in %d minutes', (minutes) => {
    const { measuredAtMs, loadSeconds, malformedAtMs, namesAtMs, ...plan } = planOf(minutes);

    expect(measuredAtMs).toBeGreaterThan(0);
    expect(measuredAtMs + loadSeconds * 1_000).toBe(plan.calmAtMs);
    const steps = [measuredAtMs, malformedAtMs, namesAtMs, plan.clockAtMs, plan.calmAtMs];
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(plan.endsAtMs).toBeGreaterThan(plan.calmAtMs);
  });
});
