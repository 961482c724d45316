import { describe, expect, test } from 'vitest';
import { planOf } from './plan.ts';

describe('the plan of a soak', () => {
  test('has five minutes of requests in thirty, and ends when it is over', () => {
    const { loadSeconds, endsAtMs } = planOf(30);

    expect(loadSeconds).toBe(300);
    expect(endsAtMs).toBe(1_800_000);
  });

  test.each([3, 30])('measures before the first disturbance, in %d minutes', (minutes) => {
    const { measuredAtMs, socketsAtMs, loadAtMs, loadSeconds, ...plan } = planOf(minutes);

    expect(measuredAtMs).toBeGreaterThan(0);
    expect(socketsAtMs).toBeGreaterThanOrEqual(measuredAtMs);
    // Idle sockets are open while the requests come.
    expect(loadAtMs).toBeLessThan(socketsAtMs + 30_000 * (minutes / 3));
    expect(loadAtMs + loadSeconds * 1_000).toBeLessThan(plan.malformedAtMs);
    const later = [plan.malformedAtMs, plan.namesAtMs, plan.clockAtMs, plan.endsAtMs];
    expect(later).toEqual(later.toSorted((a, b) => a - b));
  });
});
