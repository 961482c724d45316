import { describe, expect, test } from 'vitest';
import { Places } from '../../src/work/places.ts';

const placesOf = (perAccount: number, total?: number) =>
  new Places({
    perAccount,
    ...(total !== undefined && { total }),
    refusal: 'The account has taken all.',
    totalRefusal: 'All are taken.',
    retryAfterSeconds: 7,
  });

describe('places', () => {
  test('of an account are limited, whatever others have', () => {
    const places = placesOf(2);
    const leave = places.take('a');
    places.take('a');
    places.take('b');

    const refused = { fault: 'rate_limit', message: 'The account has taken all.' };
    expect(() => places.take('a')).toThrow(expect.objectContaining(refused));

    leave();
    places.take('a');
  });

  test('of all accounts are limited too', () => {
    const places = placesOf(2, 3);
    for (const accountId of ['a', 'a', 'b']) places.take(accountId);

    const refused = { fault: 'at_capacity', message: 'All are taken.', retryAfterSeconds: 7 };
    expect(() => places.take('c')).toThrow(expect.objectContaining(refused));
  });

  test('are given back once, also after a failure', async () => {
    const places = placesOf(1);
    const failing = places.hold('a', async () => Promise.reject(new Error('damaged')));
    await expect(failing).rejects.toThrow('damaged');

    const leave = places.take('a');
    leave();
    places.take('a');
    leave();

    expect(() => places.take('a')).toThrow();
  });
});
