import { beforeEach, describe, expect, test } from 'vitest';
import { FairTurns } from '../../src/work/fair-turns.ts';
import { TestClock } from '../support/test-clock.ts';

const WAIT_MS = 40_000;

let clock: TestClock;
let turns: FairTurns;
/** Names of the tasks that began. */
let begun: string[];
/** Ends the tasks by name. */
let end: Map<string, () => void>;
beforeEach(() => {
  clock = new TestClock();
  turns = new FairTurns(clock, {
    running: 1,
    waitMs: WAIT_MS,
    refusal: 'Others are being served.',
  });
  begun = [];
  end = new Map();
});

const read = (accountId: string, name: string): Promise<string> =>
  turns.take(accountId, () => {
    begun.push(name);
    return new Promise((resolve) => end.set(name, () => resolve(name)));
  });

describe('turns at heavy work', () => {
  test('come one at a time, in order of arrival', async () => {
    const readings = [read('a', 'first'), read('b', 'second'), read('c', 'third')];
    await expect.poll(() => begun).toEqual(['first']);

    end.get('first')!();
    await expect.poll(() => begun).toEqual(['first', 'second']);
    end.get('second')!();
    await expect.poll(() => begun).toEqual(['first', 'second', 'third']);
    end.get('third')!();

    expect(await Promise.all(readings)).toEqual(['first', 'second', 'third']);
    expect(clock.waiting).toBe(0);
  });

  test('alternate between accounts, however much one of them asks for', async () => {
    const readings = [read('a', 'a1'), read('a', 'a2'), read('a', 'a3'), read('b', 'b1')];
    const order = ['a1', 'b1', 'a2', 'a3'];

    for (const name of order) {
      await expect.poll(() => end.has(name)).toBe(true);
      end.get(name)!();
    }
    await Promise.all(readings);

    expect(begun).toEqual(order);
  });

  test('go to the account with the fewest running tasks first', async () => {
    turns = new FairTurns(clock, { running: 2, waitMs: WAIT_MS, refusal: 'Others are served.' });
    const readings = [read('a', 'a1'), read('b', 'b1'), read('b', 'b2'), read('a', 'a2')];
    await expect.poll(() => begun).toEqual(['a1', 'b1']);

    end.get('a1')!();

    await expect.poll(() => begun).toEqual(['a1', 'b1', 'a2']);
    for (const name of ['a2', 'b1', 'b2']) {
      await expect.poll(() => end.has(name)).toBe(true);
      end.get(name)!();
    }
    await Promise.all(readings);
  });

  test('are limited by account, however many are free', async () => {
    turns = new FairTurns(clock, { running: 3, perAccount: 1, refusal: 'Others are served.' });
    const readings = [read('a', 'a1'), read('a', 'a2'), read('b', 'b1')];
    await expect.poll(() => begun).toEqual(['a1', 'b1']);

    end.get('b1')!();
    await readings[2];
    expect(begun).toEqual(['a1', 'b1']);
    end.get('a1')!();

    await expect.poll(() => begun).toEqual(['a1', 'b1', 'a2']);
    end.get('a2')!();
    await Promise.all(readings);
  });

  test('are waited for without a deadline if there is none', async () => {
    turns = new FairTurns(clock, { running: 1, refusal: 'Others are served.' });
    const readings = [read('a', 'a1'), read('b', 'b1')];

    clock.advance(3_600_000);

    for (const name of ['a1', 'b1']) {
      await expect.poll(() => end.has(name)).toBe(true);
      end.get(name)!();
    }
    expect(await Promise.all(readings)).toEqual(['a1', 'b1']);
  });

  test('are not waited for longer than the deadline', async () => {
    const slow = read('a', 'slow');
    const late = read('b', 'late');
    const refused = expect(late).rejects.toMatchObject({
      fault: 'at_capacity',
      retryAfterSeconds: 10,
      message: 'Others are being served.',
    });

    clock.advance(WAIT_MS);

    await refused;
    end.get('slow')!();
    await slow;
    expect(begun).toEqual(['slow']);
    const laterReading = read('b', 'next');
    await expect.poll(() => end.has('next')).toBe(true);
    end.get('next')!();
    await laterReading;
  });

  test('go on after a reading that failed', async () => {
    const failing = turns.take('a', async () => {
      throw new Error('damaged');
    });
    const laterReading = read('a', 'next');

    await expect(failing).rejects.toThrow('damaged');

    await expect.poll(() => end.has('next')).toBe(true);
    end.get('next')!();
    expect(await laterReading).toBe('next');
  });

  test('are refused when closed', async () => {
    const running = read('a', 'running');
    const waiting = read('b', 'waiting');
    const stopping = { fault: 'at_capacity', message: expect.stringContaining('stopping') };
    const refused = expect(waiting).rejects.toMatchObject(stopping);

    turns.close();

    await refused;
    end.get('running')!();
    expect(await running).toBe('running');
    await expect(read('c', 'late')).rejects.toMatchObject(stopping);
    expect(clock.waiting).toBe(0);
  });
});
