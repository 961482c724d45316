import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inTime, systemClock } from '#shared/clock.ts';
import { TestClock } from '../support/test-clock.ts';

const warnings: string[] = [];
const record = ({ name }: Error) => void warnings.push(name);
beforeEach(() => void process.on('warning', record));
afterEach(() => void process.off('warning', record));

/** Node warns about timers one turn later. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('system clock', () => {
  test('runs a timer with a negative delay at once, like the test clock', async () => {
    await new Promise<void>((resolve) => systemClock.after(-250, resolve));
    await turn();

    expect(warnings).toEqual([]);
  });
});

const late = () => new Error('late');

describe('inTime', () => {
  const clock = new TestClock();

  test('settles like the work', async () => {
    await expect(inTime(clock, 10, Promise.resolve('done'), late)).resolves.toBe('done');
    await expect(inTime(clock, 10, Promise.reject(new Error('no')), late)).rejects.toThrow('no');
    await turn();
    expect(clock.waiting).toBe(0);
  });

  test('rejects when the work takes too long', async () => {
    const result = inTime(clock, 10, new Promise(() => {}), late);
    clock.advance(10);

    await expect(result).rejects.toThrow('late');
    expect(clock.waiting).toBe(0);
  });
});
