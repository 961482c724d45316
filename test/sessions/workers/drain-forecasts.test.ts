import { describe, expect, test } from 'vitest';
import { forecastDrain } from '../../../src/sessions/workers/drain-forecasts.ts';

const NOW = 1_000_000_000;
const MINUTE = 60_000;

type Session = Parameters<typeof forecastDrain>[0][number];
const session = (fields: Partial<Session> = {}): Session => ({
  status: 'ongoing',
  createdAt: NOW - 6 * MINUTE,
  startedAt: NOW - 5 * MINUTE,
  maxLengthMinutes: 20,
  callId: null,
  ...fields,
});
const unlimited = session({ maxLengthMinutes: null });
const starting = session({ status: 'to_start', startedAt: null, createdAt: NOW - MINUTE / 2 });

describe('the forecast of a drain', () => {
  test.each([
    ['no sessions', [], undefined, 0],
    ['a session with a limit', [session()], undefined, 15 * MINUTE],
    [
      'several: the last one',
      [session(), session({ maxLengthMinutes: 30 })],
      undefined,
      25 * MINUTE,
    ],
    [
      'a call, which may finish its sentence',
      [session({ callId: 'call' })],
      undefined,
      15 * MINUTE + 20_000,
    ],
    ['one that has not started', [starting], undefined, MINUTE / 2],
    [
      'one beyond its limit, which is about to end',
      [session({ maxLengthMinutes: 1 })],
      undefined,
      0,
    ],
    ['one without a limit', [session(), unlimited], undefined, null],
    ['one that is handed over before its limit', [session()], 2 * MINUTE, 2 * MINUTE + 15_000],
    ['one without a limit that is handed over', [unlimited], 2 * MINUTE, 2 * MINUTE + 15_000],
    ['one that ends before the handover', [session()], 60 * MINUTE, 15 * MINUTE],
  ] as const)('with %s', (_what, sessions, drainLeftMs, leftMs) => {
    const forecast = forecastDrain(sessions, { drainLeftMs, startMs: MINUTE, now: NOW });

    expect(forecast).toEqual({
      sessions: sessions.length,
      doneBy: leftMs === null ? null : NOW + leftMs,
    });
  });
});
