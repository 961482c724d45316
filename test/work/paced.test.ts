import { expect, test } from 'vitest';
import { FairTurns } from '../../src/work/fair-turns.ts';
import { paced, READ_MS } from '../../src/work/paced.ts';
import { TestClock } from '../support/test-clock.ts';

async function* count(upTo: number, onEnd = () => {}) {
  try {
    for (let number = 0; number < upTo; number += 1) yield number;
  } finally {
    onEnd();
  }
}

function newPace(clock = new TestClock()) {
  return { turns: new FairTurns(clock, { running: 1, refusal: 'Busy.' }), clock };
}

test('long answers take turns, one item of one account at a time', async () => {
  const pace = newPace();
  const order: string[] = [];
  const read = async (account: string, items: AsyncIterable<number>) => {
    for await (const item of paced(pace, account, items)) order.push(`${account}${item}`);
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
    nextTurn = setImmediate(loop);
  };
  let nextTurn = setImmediate(loop);

  const items: number[] = [];
  for await (const item of paced(newPace(), 'a', count(20))) items.push(item);
  clearImmediate(nextTurn);

  expect(items).toHaveLength(20);
  expect(loops).toBeGreaterThanOrEqual(20);
});

test('a paced answer closes its source when the reader stops', async () => {
  let isEnded = false;
  const items = count(20, () => (isEnded = true));

  for await (const item of paced(newPace(), 'a', items)) if (item === 1) break;

  expect(isEnded).toBe(true);
});

async function* hanging(): AsyncGenerator<number> {
  yield await new Promise<never>(() => {});
}

test('a read that hangs holds no other answer', async () => {
  const clock = new TestClock();
  const pace = newPace(clock);
  let isAnswered = false;
  void paced(pace, 'a', hanging())
    .next()
    .then(() => (isAnswered = true));
  const items: number[] = [];
  const reading = (async () => {
    for await (const item of paced(pace, 'b', count(3))) items.push(item);
  })();

  await expect.poll(() => clock.dueIn(READ_MS)).toBe(1);
  clock.advance(READ_MS);
  await reading;

  expect(items).toEqual([0, 1, 2]);
  expect(clock.waiting).toBe(0);
  expect(isAnswered).toBe(false);
});

test('a read that fails late fails its own answer', async () => {
  const clock = new TestClock();
  const disk = Promise.withResolvers<never>();
  async function* failing(): AsyncGenerator<number> {
    yield await disk.promise;
  }
  const failure = expect(paced(newPace(clock), 'a', failing()).next()).rejects.toThrow('gone');

  await expect.poll(() => clock.dueIn(READ_MS)).toBe(1);
  clock.advance(READ_MS);
  disk.reject(new Error('gone'));

  await failure;
});
