import { beforeEach, describe, expect, test } from 'vitest';
import { PdfTurns } from '../../src/knowledge/pdf-turns.ts';
import { TestClock } from '../support/test-clock.ts';

const WAIT_MS = 40_000;

let clock: TestClock;
let turns: PdfTurns;
/** Names of the PDFs whose reading began. */
let begun: string[];
/** Ends the readings by name. */
let end: Map<string, () => void>;
beforeEach(() => {
  clock = new TestClock();
  turns = new PdfTurns(clock, { perAccount: 2, waitMs: WAIT_MS });
  begun = [];
  end = new Map();
});

const read = (accountId: string, name: string): Promise<string> =>
  turns.take(accountId, () => {
    begun.push(name);
    return new Promise((resolve) => end.set(name, () => resolve(name)));
  });

describe('turns at the PDF reader', () => {
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

  test('are limited for each account', async () => {
    const readingsOfA = [read('a', 'first'), read('a', 'second')];

    await expect(read('a', 'third')).rejects.toMatchObject({
      fault: 'rate_limit',
      status: 429,
      retryAfterSeconds: 40,
    });

    const readingOfB = read('b', 'theirs');
    for (const name of ['first', 'second', 'theirs']) {
      await expect.poll(() => end.has(name)).toBe(true);
      end.get(name)!();
    }
    await Promise.all([...readingsOfA, readingOfB]);
    const laterReading = read('a', 'again');
    await expect.poll(() => end.has('again')).toBe(true);
    end.get('again')!();
    expect(await laterReading).toBe('again');
  });

  test('are not waited for longer than the deadline', async () => {
    const slow = read('a', 'slow');
    const late = read('b', 'late');
    const refused = expect(late).rejects.toMatchObject({ fault: 'at_capacity', status: 503 });

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
