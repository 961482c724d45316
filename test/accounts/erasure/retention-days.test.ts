import { describe, expect, test } from 'vitest';
import { daysOf, parseRetentionDays } from '../../../src/accounts/erasure/retention-days.ts';

describe('RETENTION_DAYS', () => {
  test('keeps all but webhook deliveries by default', () => {
    expect(parseRetentionDays(undefined)).toEqual({ deliveries: 30 });
  });

  test('may be one number for everything', () => {
    expect(parseRetentionDays('90')).toEqual({
      calls: 90,
      deliveries: 90,
      sessions: 90,
      timelines: 90,
      transcripts: 90,
    });
  });

  test('may name kinds, the last of which holds', () => {
    expect(parseRetentionDays('365, transcripts=30,timelines = 7')).toEqual({
      calls: 365,
      deliveries: 365,
      sessions: 365,
      timelines: 7,
      transcripts: 30,
    });
  });

  test.each(['0', '-1', '1.5', '90 days', 'photos=3', 'calls=', 'calls=36501', '='])(
    'is refused: %s',
    (text) => {
      expect(() => parseRetentionDays(text)).toThrow(
        `Configuration: RETENTION_DAYS holds ${text}: write days (90), or kinds with days`,
      );
    },
  );
});

describe('the retention of an account', () => {
  test.each([
    { installation: {}, account: null, days: null },
    { installation: { calls: 30 }, account: null, days: 30 },
    { installation: {}, account: { calls: 7 }, days: 7 },
    { installation: { calls: 30 }, account: { calls: 7 }, days: 7 },
    { installation: { calls: 30 }, account: { calls: 90 }, days: 30 },
    { installation: { calls: 30 }, account: { sessions: 1 }, days: 30 },
  ])('is the shorter one: $installation, $account', ({ installation, account, days }) => {
    expect(daysOf('calls', installation, account)).toBe(days);
  });
});
