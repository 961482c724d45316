import { describe, expect, test } from 'vitest';
import type { SessionRecord } from '../../src/records/sessions/sessions.ts';
import { atTime, expiryOf } from '../../src/sessions/deadlines.ts';
import { TestClock } from '../support/test-clock.ts';

const session = (given: Partial<SessionRecord>): SessionRecord =>
  ({
    status: 'to_start',
    createdAt: 1_000,
    startedAt: null,
    maxLengthMinutes: null,
    callId: null,
    ...given,
  }) as SessionRecord;

describe('expiry of a session', () => {
  test('counts from the request until the face is there', () => {
    expect(expiryOf(session({}), 60_000)).toBe(61_000);
  });

  test('counts the length from the start', () => {
    const ongoing = session({ status: 'ongoing', startedAt: 5_000, maxLengthMinutes: 2 });

    expect(expiryOf(ongoing, 60_000)).toBe(125_000);
  });

  test('of a call comes later: its agent ends it at the end of a sentence', () => {
    const ongoing = session({ status: 'ongoing', startedAt: 5_000, maxLengthMinutes: 2 });

    expect(expiryOf({ ...ongoing, callId: 'call-1' }, 60_000)).toBe(145_000);
  });

  test('a session without a limit never expires once it started', () => {
    expect(expiryOf(session({ status: 'ongoing', startedAt: 5_000 }), 60_000)).toBeNull();
  });

  test('a completed session does not expire', () => {
    expect(expiryOf(session({ status: 'completed', startedAt: 1, maxLengthMinutes: 1 }), 1)).toBe(
      null,
    );
  });
});

describe('a timer at a wall time', () => {
  test('reaches further than the longest timer of the platform', () => {
    const clock = new TestClock();
    const sixtyDays = 60 * 24 * 3_600_000;
    let longest = 0;
    let runs = 0;
    const after = clock.after.bind(clock);
    clock.after = (ms, run) => {
      longest = Math.max(longest, ms);
      return after(ms, run);
    };
    atTime(clock, clock.now() + sixtyDays, () => (runs += 1));

    clock.advance(sixtyDays - 1);
    expect(runs).toBe(0);
    clock.advance(1);

    expect(runs).toBe(1);
    expect(longest).toBeLessThan(2 ** 31);
  });

  test('is cancelled also after the first stretch', () => {
    const clock = new TestClock();
    const sixtyDays = 60 * 24 * 3_600_000;
    const cancel = atTime(clock, clock.now() + sixtyDays, () => expect.unreachable());

    clock.advance(sixtyDays / 2);
    cancel();

    expect(clock.waiting).toBe(0);
  });
});
