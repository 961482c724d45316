import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PLANS } from '../../src/accounts/plan.ts';
import { API_KEY, NORA, roomToken, WORKER_TOKEN } from '../support/api/build-app.ts';
import { liveSessions, openMany, REFUSED, setPlan } from '../support/api/crowd.ts';
import { hasRedis } from '../support/records/redis.ts';
import { SimulatedWorker } from '../support/simulated-worker.ts';
import {
  startTwoControlPlanes,
  type TwoControlPlanes,
} from '../support/fleet/two-control-planes.ts';

const REQUESTS = 200;
/** So few that a slow machine answers each before its deadline. */
const CALLERS = 16;
const HOUR_S = 3_600;

/** A separate room per request. */
const theirRooms = (): Promise<object[]> =>
  Promise.all(
    Array.from({ length: REQUESTS }, async (_, i) => {
      const exp = Math.floor(Date.now() / 1_000) + HOUR_S;
      const token = await roomToken(undefined, { exp, jti: String(i) });
      return { url: 'wss://media.example', token };
    }),
  );

type Page = { data: { id: string }[]; has_more: boolean };

const listAt = async ({ url }: { url: string }): Promise<Page> => {
  const headers = { 'x-api-key': API_KEY };
  return (await (await fetch(`${url}/v1/sessions?limit=50`, { headers })).json()) as Page;
};

// Needs redis-server on the PATH; test/support/records/redis.ts says so.
describe.skipIf(!hasRedis)('two control planes on one database', () => {
  let two: TwoControlPlanes;
  let workers: SimulatedWorker[];
  beforeEach(async () => {
    // On an empty database: the tables and the first account are created only once.
    two = await startTwoControlPlanes({ REQUESTS_PER_MINUTE: '1000000' }, { isBare: true });
    workers = await Promise.all(
      two.planes.map(({ url }) =>
        new SimulatedWorker({ url, token: WORKER_TOKEN, avatars: [NORA], slots: REQUESTS }).join(),
      ),
    );
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.close()));
    await two.close();
  });

  test('open exactly as many sessions as the plan allows, and list the same ones', async () => {
    const limit = PLANS.scale.concurrentSessions;
    await setPlan(two.place, 'scale');
    const rooms = await theirRooms();

    const { opened, refused } = await openMany(two.planes, REQUESTS, {
      rooms,
      callers: CALLERS,
    });
    const lists = await Promise.all(two.planes.map(listAt));

    expect(refused).toMatchObject(Array(REQUESTS - limit).fill(REFUSED));
    expect(opened).toHaveLength(limit);
    expect(await liveSessions(two.place)).toEqual({ counted: limit, live: limit });
    expect(lists[1]).toEqual(lists[0]);
    const ids = lists[0]!.data.map(({ id }) => id);
    expect(opened).toEqual(expect.arrayContaining(ids));
    expect(ids).toHaveLength(Math.min(limit, 50));
  });
});
