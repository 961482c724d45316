import { expect, test } from 'vitest';
import { ByteBudget } from '../../../src/http/bodies/byte-budget.ts';
import { TestClock } from '../../support/test-clock.ts';

const clock = new TestClock();
const budget = () => new ByteBudget(100, clock);

test('one holder gets half of the budget, all together the whole', () => {
  const bytes = budget();
  const [firstLease, secondLease, thirdLease] = ['a', 'b', 'c'].map((holder) => bytes.open(holder));

  const grants = [
    firstLease!.tryGrow(50),
    firstLease!.tryGrow(1),
    secondLease!.tryGrow(50),
    thirdLease!.tryGrow(1),
  ];

  expect(grants).toEqual([true, false, true, false]);
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
  const [firstLease, secondLease] = [bytes.open('a'), bytes.open('a')];
  firstLease.tryGrow(50);
  const waiting = secondLease.grow(50, 1_000);

  firstLease.release();

  expect(await waiting).toBe(true);
  expect([bytes.total, clock.waiting]).toEqual([50, 0]);
});

test('a holder at its share does not keep others waiting', async () => {
  const bytes = budget();
  const [firstLease, secondLease, thirdLease] = ['a', 'a', 'b'].map((holder) => bytes.open(holder));
  firstLease!.tryGrow(50);
  const [ownWait, otherWait] = [secondLease!.grow(50, 1_000), thirdLease!.grow(50, 1_000)];

  expect(await otherWait).toBe(true);
  clock.advance(1_000);
  expect(await ownWait).toBe(false);
});

test('a request that is over gives back once, and waits no longer', async () => {
  const bytes = budget();
  const [firstLease, secondLease] = [bytes.open('a'), bytes.open('a')];
  firstLease.tryGrow(50);
  const waiting = secondLease.grow(50, 1_000);

  secondLease.release();
  firstLease.release();
  firstLease.release();

  expect(await waiting).toBe(false);
  expect([bytes.total, clock.waiting, secondLease.tryGrow(1)]).toEqual([0, 0, false]);
});
