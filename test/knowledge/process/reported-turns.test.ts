import { beforeEach, describe, expect, test } from 'vitest';
import {
  BUILDS_PER_ACCOUNT,
  FILLS,
  ReportedTurns,
} from '../../../src/knowledge/process/reported-turns.ts';
import { TestClock } from '../../support/test-clock.ts';

const LARGE_BYTES = 2 * 1024 ** 2;

let reports: string[][];
let turns: ReportedTurns;
let end: PromiseWithResolvers<void>;
let begun: string[];
beforeEach(() => {
  reports = [];
  begun = [];
  end = Promise.withResolvers<void>();
  turns = new ReportedTurns(new TestClock(), 60_000, (accountIds) => reports.push(accountIds));
});

const begin = (accountId: string) => () => {
  begun.push(accountId);
  return end.promise;
};

describe('turns of the search process', () => {
  test('name the accounts at work, also at vectors', async () => {
    const works = [
      turns.build('a', LARGE_BYTES, begin('a')),
      turns.build('b', 1, begin('b')),
      turns.fill('c', begin('c')),
    ];
    await expect.poll(() => begun).toEqual(['a', 'b', 'c']);

    expect(reports.at(-1)).toEqual(['a', 'b', 'c']);
    end.resolve();
    await Promise.all(works);
    expect(reports.at(-1)).toEqual([]);
  });

  test('at vectors are few, and one for each account', async () => {
    const accountIds = Array.from({ length: 2 * FILLS.running }, (_, at) => `account ${at}`);
    const works = ['a', 'a', ...accountIds].map((accountId) =>
      turns.fill(accountId, begin(accountId)),
    );

    await expect.poll(() => begun.length).toBe(FILLS.running);
    expect(new Set(begun).size).toBe(FILLS.running);
    end.resolve();
    await Promise.all(works);
    expect(begun).toHaveLength(works.length);
  });

  test('at building are waited for by few indexes of an account', async () => {
    const builds = Array.from({ length: BUILDS_PER_ACCOUNT }, () =>
      turns.build('a', LARGE_BYTES, begin('a')),
    );

    await expect(turns.build('a', 1, begin('a'))).rejects.toMatchObject({ fault: 'rate_limit' });

    const otherBuild = turns.build('b', 1, begin('b'));
    end.resolve();
    await Promise.all([...builds, otherBuild]);
  });
});
