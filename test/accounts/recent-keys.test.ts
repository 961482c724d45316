import { beforeEach, describe, expect, test } from 'vitest';
import { RecentKeys } from '../../src/accounts/recent-keys.ts';
import { TestClock } from '../support/test-clock.ts';

let clock: TestClock;
let recent: RecentKeys<string>;
let lookedUp: string[];

beforeEach(() => {
  clock = new TestClock();
  recent = new RecentKeys(clock);
  lookedUp = [];
});

const find = (hash: string, account: string | null = `account of ${hash}`) =>
  recent.find(hash, async () => {
    lookedUp.push(hash);
    return account;
  });

describe('recent keys', () => {
  test('are not looked up again', async () => {
    await find('a');
    await find('b');

    expect(await find('a')).toBe('account of a');
    expect(lookedUp).toEqual(['a', 'b']);
  });

  test('are looked up again after a second', async () => {
    await find('a');
    clock.advance(1_000);

    expect(await find('a', 'changed elsewhere')).toBe('changed elsewhere');
  });

  test('are looked up again after a change', async () => {
    await find('a');
    recent.forget();

    expect(await find('a', 'changed')).toBe('changed');
  });

  test('are not cached if something changed during the lookup', async () => {
    const answer = Promise.withResolvers<string>();
    const finding = recent.find('a', () => answer.promise);
    recent.forget();
    answer.resolve('as it was');
    await finding;

    expect(await find('a', 'changed')).toBe('changed');
  });

  test('are looked up again if they were unknown', async () => {
    await find('a', null);
    await find('a', null);

    expect(lookedUp).toEqual(['a', 'a']);
  });

  test('are bounded in number', async () => {
    for (let i = 0; i <= 1_000; i++) await find(`key ${i}`);
    lookedUp = [];

    await find('key 0');
    await find('key 1000');

    expect(lookedUp).toEqual(['key 0']);
  });
});
