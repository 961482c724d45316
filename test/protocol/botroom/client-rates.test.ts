import { expect, test } from 'vitest';
import { ClientRates } from '#protocol/botroom/client-rates.ts';
import { CLIENT_RATES } from '#protocol/botroom/limits.ts';
import { TestClock } from '../../support/test-clock.ts';

const { burst, perSecond } = CLIENT_RATES.bytes;

test('a client may send a burst, and then what is added with time', () => {
  const clock = new TestClock();
  const rates = new ClientRates(clock);

  expect(rates.take(1, burst)).toBe(true);
  clock.advance(500);
  expect(rates.take(1, perSecond / 2)).toBe(true);
  expect(rates.take(1, 1)).toBe(false);
});

test('no more than a burst is saved up', () => {
  const clock = new TestClock();
  const rates = new ClientRates(clock);

  clock.advance(3_600_000);

  expect(rates.take(1, burst + 1)).toBe(false);
});

test('a client that was not read may send all that it could have sent meanwhile', () => {
  const clock = new TestClock();
  const rates = new ClientRates(clock);
  rates.take(1, burst);

  clock.advance(60_000);
  rates.catchUp();

  expect(rates.take(1, 60 * perSecond)).toBe(true);
  expect(rates.take(1, 1)).toBe(false);
});
