import { expect, test } from 'vitest';
import { FairTurns } from '../../src/work/fair-turns.ts';
import { paced } from '../../src/work/paced.ts';
import { TestClock } from '../support/test-clock.ts';

async function* count(upTo: number, onEnd = () => {}) {
  try {
    for (let number = 0; number < upTo; number += 1) yield number;
  } finally {
    onEnd();
  }
}

const newTurns = () => new FairTurns(new TestClock(), { running: 1, waitMs: 1_000, busy: 'Busy.' });

test('long answers take turns, one item of one account at a time', async () => {
  const turns = newTurns();
  const order: string[] = [];
  const read = async (account: string, items: AsyncIterable<number>) => {
    for await (const item of paced(turns, account, items)) order.push(`${account}${item}`);
  };

  await Promise.all([read('a', count(3)), read('a', count(3)), read('b', count(3))]);

  // b has had all of its own before a has had the second half.
  expect(order.indexOf('b2')).toBeLessThanOrEqual(order.length - 2);
  expect(order).toHaveLength(9);
});

test('a paced answer yields to the event loop after each item', async () => {
  let loops = 0;
  const loop = () => {
    loops += 1;
    next = setImmediate(loop);
  };
  let next = setImmediate(loop);

  const items: number[] = [];
  for await (const item of paced(newTurns(), 'a', count(20))) items.push(item);
  clearImmediate(next);

  expect(items).toHaveLength(20);
  expect(loops).toBeGreaterThanOrEqual(20);
});

test('a paced answer closes its source when the reader stops', async () => {
  let isEnded = false;
  const items = count(20, () => (isEnded = true));

  for await (const item of paced(newTurns(), 'a', items)) if (item === 1) break;

  expect(isEnded).toBe(true);
});
