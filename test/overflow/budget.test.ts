import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { costOf, exhaustionOf, periodEnd, periodStart } from '../../src/overflow/budget.ts';

const limits = { maxSessions: 2, maxMinutes: 10, priceMicros: 100_000, ceilingMicros: 3_000_000 };
const unused = { open: 0, reservedMicros: 0, spentMicros: 0, lengthMs: 0 };
/** Ten minutes at a tenth. */
const MOST = 1_000_000;

describe('the budget of an overflow', () => {
  test('counts an open session with the most that it may cost', () => {
    const spent = (spentMicros: number) => ({
      ...unused,
      open: 1,
      reservedMicros: MOST,
      spentMicros,
    });

    expect(exhaustionOf(limits, spent(MOST))).toBeNull();
    expect(exhaustionOf(limits, spent(MOST + 1))).toBe('overflow_ceiling');
  });

  test('takes no more sessions than it may', () => {
    expect(exhaustionOf(limits, { ...unused, open: 1 })).toBeNull();
    expect(exhaustionOf(limits, { ...unused, open: 2 })).toBe('overflow_full');
    expect(exhaustionOf({ ...limits, maxSessions: 0 }, unused)).toBe('overflow_full');
  });

  test('never lets sessions cost more than the ceiling, in any order', () => {
    const lengths = fc.array(fc.integer({ min: 0, max: 600_000 }), { maxLength: 60 });
    fc.assert(
      fc.property(lengths, fc.integer({ min: 0, max: 5_000_000 }), (each, ceilingMicros) => {
        const use = { ...unused };
        const open: number[] = [];
        for (const length of each) {
          if (!exhaustionOf({ ...limits, ceilingMicros }, use)) {
            open.push(length);
            use.open += 1;
            use.reservedMicros += MOST;
          } else if (open.length > 0) {
            use.spentMicros += costOf(open.shift()!, limits.priceMicros);
            use.open -= 1;
            use.reservedMicros -= MOST;
          }
        }
        expect(use.spentMicros + use.reservedMicros).toBeLessThanOrEqual(ceilingMicros);
      }),
    );
  });

  test('rounds costs up to a millionth', () => {
    expect(costOf(60_000, 100_000)).toBe(100_000);
    expect(costOf(1, 100_000)).toBe(2);
    expect(costOf(0, 100_000)).toBe(0);
  });

  test.each([
    ['day', '2026-02-28T23:59:59.999Z', '2026-02-28T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    ['month', '2026-12-31T12:00:00.000Z', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ] as const)('knows the %s of %s in UTC', (period, now, start, end) => {
    expect(periodStart(period, Date.parse(now))).toBe(Date.parse(start));
    expect(periodEnd(period, Date.parse(now))).toBe(Date.parse(end));
  });
});
