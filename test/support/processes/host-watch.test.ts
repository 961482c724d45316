import { afterEach, beforeEach, describe, expect, test, vi, type TestContext } from 'vitest';
import { HostWatch } from './host-watch.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** A watch for whose seconds the host takes these shares, and what it says about its test. */
function watched(context: TestContext, shares: number[]) {
  const meta: TestContext['task']['meta'] = {};
  const cpu = { stolen: 0, all: 0 };
  const test = { task: { meta }, onTestFinished: context.onTestFinished };
  const watch = new HostWatch(test as unknown as TestContext, () => ({ ...cpu }));
  for (const share of shares) {
    cpu.all += 200;
    cpu.stolen += 200 * share;
    vi.advanceTimersByTime(1_000);
  }
  return { watch, cpu, meta };
}

const fail = () => {
  throw new Error('too late');
};

describe('limits of time', () => {
  test('are judged where the host takes little in each second', (context) => {
    const { watch, meta } = watched(context, [0.1, 0.1, 0]);

    expect(() => watch.judgeTime(fail)).toThrow('too late');
    expect(meta).toEqual({});
  });

  test('are not judged where it takes much in one second, which the test tells', (context) => {
    const { watch, meta } = watched(context, [0, 0.34, 0, 0]);

    watch.judgeTime(fail);

    expect(meta).toEqual({ timeNotJudged: 'the host took up to 34 % of the CPU' });
  });

  test('count the last part of a second, unless it is too short', (context) => {
    const short = watched(context, [0]);
    short.cpu.all += 4;
    short.cpu.stolen += 2;
    const long = watched(context, [0]);
    long.cpu.all += 100;
    long.cpu.stolen += 50;

    expect(() => short.watch.judgeTime(fail)).toThrow('too late');
    long.watch.judgeTime(fail);
  });

  test('are judged where the system reports no times of the CPU', ({ task, onTestFinished }) => {
    const watch = new HostWatch({ task, onTestFinished }, () => null);
    vi.advanceTimersByTime(1_000);

    expect(() => watch.judgeTime(fail)).toThrow('too late');
  });
});
