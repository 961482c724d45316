import { describe, expect, test } from 'vitest';
import { LIMITS } from './bounds.ts';
import { unexplained } from './picture.ts';
import { EVERY_KIND, roundsOf } from './schedule.ts';
import { SegmentLedger } from './segment-ledger.ts';

const watching = (id: string, fromMs: number, toMs: number | null) => ({
  id,
  gapsUntil: () => [{ fromMs, toMs }],
});

const completeReport = (seconds: number) => ({ playback_position: seconds, interrupted: false });

const cutReport = (seconds: number) => ({ playback_position: seconds, interrupted: true });

describe('rounds of faults', () => {
  test('depend only on the seed, and contain each kind once before any repeats', () => {
    const rounds = roundsOf(7, EVERY_KIND + 20);

    expect(roundsOf(7, EVERY_KIND + 20)).toEqual(rounds);
    expect(roundsOf(8, EVERY_KIND + 20)).not.toEqual(rounds);
    const kinds = rounds.slice(0, EVERY_KIND).map(({ faults }) => faults[0]!.type);
    expect(new Set(kinds).size).toBe(EVERY_KIND);
  });
});

describe('a gap in the picture', () => {
  const blow = {
    sessions: ['session-1'],
    atMs: 1_000,
    backMs: LIMITS.killedMs,
    recovered: Promise.resolve(),
    mend: async () => {},
  };

  test("is explained by a fault of its session, up to the fault's limit", () => {
    const inTime = watching('session-1', 1_100, 1_000 + LIMITS.killedMs);
    const late = watching('session-1', 1_100, 1_000 + LIMITS.killedMs + 1);

    expect(unexplained(inTime, [blow])).toEqual([]);
    expect(unexplained(late, [blow])).toHaveLength(1);
  });

  test('is not explained by a fault of another session', () => {
    const otherSession = watching('session-2', 1_100, 1_100 + LIMITS.steadyMs + 1);

    expect(unexplained(otherSession, [blow])).toHaveLength(1);
    expect(unexplained(otherSession, [])).toHaveLength(1);
  });

  test('counts while it lasts', () => {
    const away = watching('session-1', 1_100, null);

    expect(unexplained(away, [blow], 1_000 + LIMITS.killedMs)).toEqual([]);
    expect(unexplained(away, [blow], 1_001 + LIMITS.killedMs)).toHaveLength(1);
  });
});

describe('playback reports', () => {
  test('are correct with one for each segment', () => {
    const ledger = new SegmentLedger();
    ledger.said(1, 'whole');
    ledger.said(3, 'perhaps cut');

    ledger.finished(completeReport(1));
    expect(ledger.isSettled).toBe(false);
    ledger.finished(cutReport(0.4));

    expect(ledger.isSettled).toBe(true);
    expect(ledger.problems).toEqual([]);
  });

  test('are wrong if repeated, of another length, or interrupted without a fault', () => {
    const ledger = new SegmentLedger();
    ledger.said(1, 'whole');
    ledger.finished(completeReport(1));
    ledger.finished(completeReport(1));
    ledger.said(1, 'whole');
    ledger.finished(completeReport(0.9));
    ledger.said(1, 'whole');
    ledger.finished(cutReport(0.5));

    expect(ledger.problems).toHaveLength(3);
  });

  test('may be empty while no segment is open', () => {
    const ledger = new SegmentLedger();

    ledger.finished(cutReport(0));

    expect(ledger.problems).toEqual([]);
  });
});
