import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PLANS } from '../../../src/accounts/plan.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { liveSessions, openMany, REFUSED, setPlan } from '../../support/api/crowd.ts';

const AT_ONCE = 200;

let service: BuiltApp;
beforeEach(async () => {
  service = await buildApp({ slots: AT_ONCE });
});
afterEach(() => service.close());

const performing = async (): Promise<number> => {
  await service.workers[0]!.atRest();
  return service.workers[0]!.performing.size;
};

describe('concurrent sessions', () => {
  test.each(['creator', 'scale'] as const)(
    'match the limit of the plan exactly under 200 concurrent requests: %s',
    async (plan) => {
      const limit = PLANS[plan].concurrentSessions;
      await setPlan(service.place, plan);

      const { opened, refused } = await openMany([service], AT_ONCE);

      expect(refused).toMatchObject(Array(AT_ONCE - limit).fill(REFUSED));
      expect(opened).toHaveLength(limit);
      expect(await liveSessions(service.place)).toEqual({ counted: limit, live: limit });
      // Refused requests hold neither a slot nor a room.
      expect(await performing()).toBe(limit);
      expect(service.rooms.open.size).toBe(limit);
    },
  );

  test('free exactly as many places as sessions have ended', async () => {
    await setPlan(service.place, 'growth');
    const { opened } = await openMany([service], AT_ONCE);

    await Promise.all(
      opened.slice(0, 4).map((id) => service.call('POST', `/v1/sessions/${id}/end`)),
    );
    const secondRound = await openMany([service], AT_ONCE);

    expect(secondRound.opened).toHaveLength(4);
    expect(secondRound.refused).toMatchObject(Array(AT_ONCE - 4).fill(REFUSED));
  });

  test('are counted correctly under concurrent starts and ends', async () => {
    await setPlan(service.place, 'growth');
    const comeAndGo = async () => {
      const { opened } = await openMany([service], 4);
      // A session ended twice at once is counted once.
      const ends = [...opened, ...opened].map((id) =>
        service.call('POST', `/v1/sessions/${id}/end`),
      );
      await Promise.all(ends);
    };

    await Promise.all(Array.from({ length: 25 }, comeAndGo));

    expect(await liveSessions(service.place)).toEqual({ counted: 0, live: 0 });
    expect((await openMany([service], 30)).opened).toHaveLength(10);
  });

  test('are limited by slots only on a plan without a limit', async () => {
    const { opened, refused } = await openMany([service], AT_ONCE);

    expect(refused).toEqual([]);
    expect(opened).toHaveLength(AT_ONCE);
  });
});
