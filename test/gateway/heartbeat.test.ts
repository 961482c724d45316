import { describe, expect, test } from 'vitest';
import { startHeartbeat } from '../../src/gateway/heartbeat.ts';
import { TestClock } from '../support/test-clock.ts';

function beating() {
  const clock = new TestClock();
  const calls = { pings: 0, silent: 0 };
  const heartbeat = startHeartbeat({
    clock,
    everyMs: 1_000,
    ping: () => (calls.pings += 1),
    onSilent: () => (calls.silent += 1),
  });
  return { clock, seen: calls, heartbeat };
}

describe('heartbeat', () => {
  test('reports a silent worker once, after three unanswered pings', () => {
    const { clock, seen: calls } = beating();

    clock.advance(3_999);
    expect(calls).toEqual({ pings: 3, silent: 0 });
    clock.advance(60_000);

    expect(calls).toEqual({ pings: 3, silent: 1 });
    expect(clock.waiting).toBe(0);
  });

  test('counts any message', () => {
    const { clock, seen: calls, heartbeat } = beating();

    for (let second = 0; second < 60; second += 1) {
      clock.advance(1_000);
      if (second % 3 === 2) heartbeat.heard();
    }

    expect(calls.silent).toBe(0);
    heartbeat.stop();
    expect(clock.waiting).toBe(0);
  });

  test('does not ping once stopped', () => {
    const { clock, seen: calls, heartbeat } = beating();
    heartbeat.stop();

    clock.advance(60_000);

    expect(calls).toEqual({ pings: 0, silent: 0 });
  });
});
