import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { delay } from '#shared/clock.ts';
import { createLog } from '#shared/log.ts';
import type { CallAllowance, CallSpending } from '#protocol/call-brief.ts';
import { CallBudget } from '../../../workers/agent/call-budget.ts';
import { CallRefused } from '../../../workers/agent/call-control.ts';
import { settle, TestClock } from '../../support/test-clock.ts';

const log = createLog({ name: 'test', level: 'silent' });

let clock: TestClock;
let reports: CallSpending[];
let answer: (signal?: AbortSignal) => Promise<CallAllowance>;
let timesUsedUp: number;
let budget: CallBudget;

beforeEach(() => {
  clock = new TestClock();
  reports = [];
  timesUsedUp = 0;
  answer = async () => ({ modelTokens: 60, texts: 10 });
});
afterEach(async () => {
  await budget.close(0);
  expect(clock.waiting).toBe(0);
});

function open(left: CallAllowance | null = { modelTokens: 100, texts: 12 }): void {
  const spent = { modelTokens: 40, speechCharacters: 0, texts: 3 };
  budget = new CallBudget({
    budget: left === null ? undefined : { spent, left, textsPerTenMinutes: 60 },
    control: {
      reportSpending: (totals, signal) => {
        reports.push(totals);
        return answer(signal);
      },
    },
    clock,
    log,
  });
  budget.start(() => (timesUsedUp += 1));
}

describe('the budget of a call', () => {
  test('reports totals that continue those of an earlier worker', async () => {
    open();

    budget.add({ modelTokens: 10 });
    budget.add({ speechCharacters: 5, texts: 1 });
    await clock.pass(1_000);

    expect(reports).toEqual([
      { modelTokens: 50, speechCharacters: 0, texts: 3 },
      { modelTokens: 50, speechCharacters: 5, texts: 4 },
    ]);
  });

  test('is counted down between two answers', async () => {
    answer = (signal) => delay(clock, 60_000, signal).then(() => ({}));
    open();

    budget.add({ modelTokens: 99, texts: 2 });
    expect([budget.isUsedUp, budget.textsLeft]).toEqual([false, 10]);
    budget.add({ modelTokens: 1 });

    expect(budget.isUsedUp).toBe(true);
    expect(timesUsedUp).toBe(1);
    answer = async () => ({});
  });

  test('is told once to be used up', async () => {
    open();

    for (let count = 0; count < 5; count += 1) budget.add({ modelTokens: 100 });
    await clock.pass(1_000);

    expect(timesUsedUp).toBe(1);
  });

  test('holds while the control plane is away, and reports once it is back', async () => {
    answer = () => Promise.reject(new Error('away'));
    open();
    budget.add({ modelTokens: 60 });
    await settle();
    budget.add({ modelTokens: 60 });
    expect(budget.isUsedUp).toBe(true);

    answer = async () => ({ modelTokens: -20 });
    await clock.pass(2_000);

    expect(reports.at(-1)).toMatchObject({ modelTokens: 160 });
  });

  test('stops reporting a call that the control plane refuses', async () => {
    answer = () => Promise.reject(new CallRefused('404'));
    open();

    for (let count = 0; count < 20; count += 1) {
      budget.add({ modelTokens: 1 });
      await clock.pass(30_000);
    }
    await budget.close(90_000);

    expect(reports).toHaveLength(1);
  });

  test('reports the last costs when it is closed, and retries that for as long as it may', async () => {
    open();
    budget.add({ modelTokens: 1 });
    await settle();
    answer = () => Promise.reject(new Error('away'));
    budget.add({ modelTokens: 1 });

    const closings = [budget.close(90_000), budget.close(10_000)];
    await clock.pass(60_000);
    answer = async () => ({});
    await clock.pass(30_000);
    await Promise.all(closings);
    const reportCount = reports.length;
    await budget.close(90_000);

    expect(reports.at(-1)).toMatchObject({ modelTokens: 42 });
    expect(reports).toHaveLength(reportCount);
  });

  test('is closed in time by a control plane that does not answer', async () => {
    answer = (signal) => delay(clock, 600_000, signal).then(() => ({}));
    open();
    budget.add({ modelTokens: 1 });
    await settle();

    const closing = budget.close(500);
    await clock.pass(500);

    await expect(Promise.race([closing, settle().then(() => 'open')])).resolves.toBeUndefined();
    expect(reports).toHaveLength(2);
  });

  test('limits and reports nothing with an older control plane', async () => {
    open(null);

    budget.add({ modelTokens: 1e9 });
    await clock.pass(120_000);

    expect(budget.isUsedUp).toBe(false);
    expect(reports).toEqual([]);
  });
});
