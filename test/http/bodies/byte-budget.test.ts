import { expect, test } from 'vitest';
import { ByteBudget } from '../../../src/http/bodies/byte-budget.ts';
import { TestClock } from '../../support/test-clock.ts';

const clock = new TestClock();
const budget = () => new ByteBudget(100, clock);

test('one holder gets half of the budget, all together the whole', () => {
  const bytes = budget();
  const [first, second, third] = ['a', 'b', 'c'].map((holder) => bytes.open(holder));

  const granted = [first!.tryGrow(50), first!.tryGrow(1), second!.tryGrow(50), third!.tryGrow(1)];

  expect(granted).toEqual([true, false, true, false]);
  expect(bytes.total).toBe(100);
});

test('several requests of a holder count together', () => {
  const bytes = budget();
  bytes.open('a').tryGrow(30);

  expect(bytes.open('a').tryGrow(30)).toBe(false);
  expect(bytes.open('b').tryGrow(30)).toBe(true);
});

test('the first request is granted whatever it takes', () => {
  const bytes = budget();

  expect(bytes.open('a').tryGrow(1_000)).toBe(true);
  expect(bytes.open('b').tryGrow(1)).toBe(false);
});

test('a request that waits goes on when another gives back', async () => {
  const bytes = budget();
  const [first, second] = [bytes.open('a'), bytes.open('a')];
  first.tryGrow(50);
  const waiting = second.grow(50, 1_000);

  first.release();

  expect(await waiting).toBe(true);
  expect([bytes.total, clock.waiting]).toEqual([50, 0]);
});

test('a holder at its share does not keep others waiting', async () => {
  const bytes = budget();
  const [first, second, third] = ['a', 'a', 'b'].map((holder) => bytes.open(holder));
  first!.tryGrow(50);
  const [kept, passed] = [second!.grow(50, 1_000), third!.grow(50, 1_000)];

  expect(await passed).toBe(true);
  clock.advance(1_000);
  expect(await kept).toBe(false);
});

test('a request that is over gives back once, and waits no longer', async () => {
  const bytes = budget();
  const [first, second] = [bytes.open('a'), bytes.open('a')];
  first.tryGrow(50);
  const waiting = second.grow(50, 1_000);

  second.release();
  first.release();
  first.release();

  expect(await waiting).toBe(false);
  expect([bytes.total, clock.waiting, second.tryGrow(1)]).toEqual([0, 0, false]);
});
