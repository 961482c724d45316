import { describe, expect, test } from 'vitest';
import { ignoreReasonOf } from '../../../../src/web/call/chat/ignore-reason.ts';

const reasonIn = (report: string) => ignoreReasonOf(new TextEncoder().encode(report));

describe('a report of an ignored text', () => {
  test.each(['too_fast', 'too_many', 'incomplete'] as const)('gives the reason %s', (why) => {
    expect(reasonIn(why)).toBe(why);
  });

  test.each(['', 'toString', 'reason of a newer agent'])('without a known reason: %j', (report) => {
    expect(reasonIn(report)).toBe('incomplete');
  });
});
