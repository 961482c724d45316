import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PLANS } from '../../src/accounts/plan.ts';
import { buildApp, type BuiltApp } from '../support/build-app.ts';
import { liveSessions, openAtOnce, REFUSED, setPlan } from '../support/crowd.ts';
import { newPlace, type Place } from '../support/database.ts';
import { FakeRooms } from '../support/fake-rooms.ts';

const AT_ONCE = 200;

let place: Place;
let services: BuiltApp[];
beforeEach(async () => {
  place = await newPlace({ isBare: true });
  const env = { TROUPE_SECRET_KEY: randomBytes(32).toString('base64') };
  // Started together on a database without tables: they make them once, and one account.
  services = await Promise.all(
    ['here', 'there'].map((name) =>
      buildApp({ place, env, slots: AT_ONCE, rooms: new FakeRooms(name) }),
    ),
  );
});
afterEach(async () => {
  await Promise.all(services.map((service) => service.close()));
  await place.remove();
});

describe('two control planes on one database', { timeout: 60_000 }, () => {
  test.each(['creator', 'scale'] as const)(
    'open as many sessions at once as the plan allows, exactly: %s',
    async (plan) => {
      const limit = PLANS[plan].concurrentSessions;
      await setPlan(place, plan);

      const { opened, refused } = await openAtOnce(services, AT_ONCE);

      expect(opened).toHaveLength(limit);
      expect(refused).toEqual(Array(AT_ONCE - limit).fill(REFUSED));
      expect(await liveSessions(place)).toEqual({ counted: limit, live: limit });
    },
  );

  test('have one account, whose key both know, and show the same sessions', async () => {
    const { opened } = await openAtOnce(services, 6);

    const lists = await Promise.all(
      services.map(async (service) => (await service.call('GET', '/v1/sessions')).json()),
    );

    const ids = lists[0].data.map(({ id }: { id: string }) => id);
    expect(ids.toSorted()).toEqual(opened.toSorted());
    expect(lists[1]).toEqual(lists[0]);
  });
});
