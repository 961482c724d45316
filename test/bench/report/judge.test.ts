import { describe, expect, test } from 'vitest';
import { EXIT, exitCode, isCalm, judge, OTHERS_MAX, PRESSURE_MAX } from './judge.ts';
import { row, type Goal } from './row.ts';

const calm = { pressure: 0.1, others: 0.01 };
const busy = { pressure: PRESSURE_MAX + 0.01, others: OTHERS_MAX + 0.01 };
const of = (goal: Goal) => row({ what: 'wait', unit: 'ms', values: [10, 20, 90], floor: 10, goal });

const met: Goal[] = [
  { of: 'median', atMost: 20 },
  { of: 'median', atLeast: 20 },
  { of: 'worst', atMost: 90 },
  { of: 'ratio', atMost: 2 },
  { of: 'median', within: 20 },
];
const missed: Goal[] = [
  { of: 'median', atMost: 19.9 },
  { of: 'median', atLeast: 20.1 },
  { of: 'worst', atMost: 89 },
  { of: 'ratio', atMost: 1.9 },
  { of: 'median', within: 19.9 },
];

describe('judge', () => {
  test.each(met)('meets %j on a calm machine', (goal) => {
    expect(judge(of(goal), calm, 'pressure')).toBe('met');
  });

  test.each(missed)('misses %j on a calm machine', (goal) => {
    expect(judge(of(goal), calm, 'pressure')).toBe('missed');
  });

  test.each([...met, ...missed])('proves nothing on a busy machine: %j', (goal) => {
    expect(judge(of(goal), busy, 'pressure')).toBe('proves nothing');
    expect(judge(of(goal), busy, 'others')).toBe('proves nothing');
  });

  test('proves nothing if the load is unknown', () => {
    const unknown = { pressure: null, others: null };

    expect(judge(of(met[0]!), unknown, 'pressure')).toBe('proves nothing');
    expect(judge(of(met[0]!), unknown, 'others')).toBe('proves nothing');
  });

  test('allows load from the bench itself, but not from others', () => {
    expect(isCalm({ pressure: 0.9, others: 0.01 }, 'others')).toBe(true);
    expect(isCalm({ pressure: 0.1, others: 0.2 }, 'others')).toBe(false);
  });

  test('considers a machine busy by either measure by default', () => {
    expect(isCalm({ pressure: 0.9, others: 0.01 }, 'pressure')).toBe(false);
    expect(isCalm({ pressure: 0.1, others: 0.2 }, 'pressure')).toBe(false);
    expect(isCalm(calm, 'pressure')).toBe(true);
  });

  test('judges scores of fixed input on any machine', () => {
    expect(judge(of(missed[0]!), busy, 'always')).toBe('missed');
  });

  test("prefers a row's own load and measure over the bench's", () => {
    expect(judge({ ...of(met[0]!), load: busy }, calm, 'pressure')).toBe('proves nothing');
    expect(judge({ ...of(met[0]!), calmBy: 'always' }, busy, 'pressure')).toBe('met');
  });

  test('misses a goal if the figure is not a number', () => {
    const nothing = row({
      what: 'wait',
      unit: 'ms',
      values: [],
      goal: { of: 'median', atMost: 9 },
    });

    expect(judge(nothing, calm, 'pressure')).toBe('missed');
  });

  test('misses a ratio goal without a floor', () => {
    const goal = { of: 'ratio', atMost: 9 } as const;

    expect(judge(row({ what: 'wait', unit: 'ms', values: 1, goal }), calm, 'pressure')).toBe(
      'missed',
    );
  });

  test('gives no verdict on a row without a goal', () => {
    expect(judge(row({ what: 'wait', unit: 'ms', values: 1 }), calm, 'pressure')).toBe('no goal');
  });
});

describe('exit code', () => {
  test('distinguishes a missed goal from a busy machine', () => {
    expect(exitCode(['met', 'no goal'])).toBe(EXIT.good);
    expect(exitCode(['met', 'proves nothing'])).toBe(EXIT.provesNothing);
    expect(exitCode(['proves nothing', 'missed'])).toBe(EXIT.missed);
    expect(new Set(Object.values(EXIT)).size).toBe(4);
  });
});
