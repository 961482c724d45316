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
  test.each(met)('says of a calm machine that %j is met', (goal) => {
    expect(judge(of(goal), calm, 'pressure')).toBe('met');
  });

  test.each(missed)('says of a calm machine that %j is missed', (goal) => {
    expect(judge(of(goal), calm, 'pressure')).toBe('missed');
  });

  test.each([...met, ...missed])('takes nothing from a busy machine for proof: %j', (goal) => {
    expect(judge(of(goal), busy, 'pressure')).toBe('proves nothing');
    expect(judge(of(goal), busy, 'others')).toBe('proves nothing');
  });

  test('takes nothing for proof where the load is unknown', () => {
    const unknown = { pressure: null, others: null };

    expect(judge(of(met[0]!), unknown, 'pressure')).toBe('proves nothing');
    expect(judge(of(met[0]!), unknown, 'others')).toBe('proves nothing');
  });

  test('lets a bench fill the machine itself, but nobody else', () => {
    expect(isCalm({ pressure: 0.9, others: 0.01 }, 'others')).toBe(true);
    expect(isCalm({ pressure: 0.1, others: 0.2 }, 'others')).toBe(false);
  });

  test('takes a machine for busy by either measure where the bench does not fill it', () => {
    expect(isCalm({ pressure: 0.9, others: 0.01 }, 'pressure')).toBe(false);
    expect(isCalm({ pressure: 0.1, others: 0.2 }, 'pressure')).toBe(false);
    expect(isCalm(calm, 'pressure')).toBe(true);
  });

  test('judges scores of fixed input on any machine', () => {
    expect(judge(of(missed[0]!), busy, 'always')).toBe('missed');
  });

  test("a row's own load and measure of calm go before the bench's", () => {
    expect(judge({ ...of(met[0]!), load: busy }, calm, 'pressure')).toBe('proves nothing');
    expect(judge({ ...of(met[0]!), calmBy: 'always' }, busy, 'pressure')).toBe('met');
  });

  test('misses a goal about a figure that is no number', () => {
    const nothing = row({
      what: 'wait',
      unit: 'ms',
      values: [],
      goal: { of: 'median', atMost: 9 },
    });

    expect(judge(nothing, calm, 'pressure')).toBe('missed');
  });

  test('misses a goal about a ratio when there is no floor', () => {
    const goal = { of: 'ratio', atMost: 9 } as const;

    expect(judge(row({ what: 'wait', unit: 'ms', values: 1, goal }), calm, 'pressure')).toBe(
      'missed',
    );
  });

  test('says nothing about a row without a goal', () => {
    expect(judge(row({ what: 'wait', unit: 'ms', values: 1 }), calm, 'pressure')).toBe('no goal');
  });
});

describe('exit code', () => {
  test('tells a missed goal from a machine that was too busy', () => {
    expect(exitCode(['met', 'no goal'])).toBe(EXIT.good);
    expect(exitCode(['met', 'proves nothing'])).toBe(EXIT.provesNothing);
    expect(exitCode(['proves nothing', 'missed'])).toBe(EXIT.missed);
    expect(new Set(Object.values(EXIT)).size).toBe(4);
  });
});
