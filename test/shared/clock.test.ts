import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inTime, systemClock } from '#shared/clock.ts';
import { TestClock } from '../support/test-clock.ts';

const warnings: string[] = [];
const keep = ({ name }: Error) => void warnings.push(name);
beforeEach(() => void process.on('warning', keep));
afterEach(() => void process.off('warning', keep));

/** Node says what it has against a timer a turn later. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('system clock', () => {
  test('takes a moment that is past for now, as the clock of the tests does', async () => {
    await new Promise<void>((resolve) => systemClock.after(-250, resolve));
    await turn();

    expect(warnings).toEqual([]);
  });
});

const late = () => new Error('late');

describe('work that must come to something in time', () => {
  const clock = new TestClock();

  test('gives what it came to, or its own error', async () => {
    await expect(inTime(clock, 10, Promise.resolve('done'), late)).resolves.toBe('done');
    await expect(inTime(clock, 10, Promise.reject(new Error('no')), late)).rejects.toThrow('no');
    await turn();
    expect(clock.waiting).toBe(0);
  });

  test('is given up when it takes longer', async () => {
    const given = inTime(clock, 10, new Promise(() => {}), late);
    clock.advance(10);

    await expect(given).rejects.toThrow('late');
    expect(clock.waiting).toBe(0);
  });
});
