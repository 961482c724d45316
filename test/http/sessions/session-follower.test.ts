import { expect, test } from 'vitest';
import { LOOK_EVERY_MS, SessionFollower } from '../../../src/http/sessions/session-follower.ts';
import type { SessionFeed } from '../../../src/records/sessions/session-feed.ts';
import { TestClock } from '../../support/test-clock.ts';

/** `looks`: the outcomes of the looks, in turn. The last one goes on. */
function followerOf(since: number | null, ...looks: ('read' | 'away')[]) {
  const clock = new TestClock();
  const startTimes: number[] = [];
  const warnings: string[] = [];
  const feed: SessionFeed = {
    async since(_account, from) {
      const look = looks[Math.min(startTimes.length, looks.length - 1)];
      startTimes.push(from);
      if (look === 'away') throw new Error('away');
      return [];
    },
  };
  const follower = new SessionFollower(
    {
      accountId: 'an account',
      feed,
      clock,
      log: { warn: (...values: unknown[]) => void warnings.push(String(values.at(-1))) },
      onChange: () => {},
      onReset: () => {},
    },
    since,
  );
  const look = async () => {
    if (startTimes.length === 0) follower.look();
    else clock.advance(LOOK_EVERY_MS);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { clock, follower, asked: startTimes, warnings, look };
}

test('a follower begins no later than now, whatever its client names', async () => {
  const { clock, follower, asked: startTimes, look } = followerOf(1e16, 'read');

  await look();
  follower.close();

  expect(startTimes).toHaveLength(1);
  expect(startTimes[0]).toBeLessThanOrEqual(clock.now());
});

test('a follower says once that the records are away, and looks as far back afterwards', async () => {
  const looks = ['away', 'away', 'read', 'away'] as const;
  const { follower, asked: startTimes, warnings, look } = followerOf(null, ...looks);

  await look();
  await look();
  expect(warnings).toHaveLength(1);
  await look();
  expect(new Set(startTimes).size).toBe(1);
  await look();
  follower.close();

  expect(warnings).toHaveLength(2);
});
