import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_KEY } from '../../support/api/build-app.ts';
import type { ControlProcess } from '../../support/processes/control-process.ts';
import { hasRedis } from '../../support/records/redis.ts';
import {
  startTwoControlPlanes,
  type TwoControlPlanes,
} from '../../support/fleet/two-control-planes.ts';

const PER_MINUTE = 6;

const ask = async ({ url }: ControlProcess): Promise<number> =>
  (await fetch(`${url}/v1/auth/verify`, { headers: { 'x-api-key': API_KEY } })).status;

// Needs redis-server on the PATH; test/support/records/redis.ts says so.
describe.skipIf(!hasRedis)('requests with a key', () => {
  let two: TwoControlPlanes;
  beforeAll(async () => {
    two = await startTwoControlPlanes({ REQUESTS_PER_MINUTE: String(PER_MINUTE) });
  });
  afterAll(() => two?.close());

  test('count together at two control planes, and separately while Redis is down', async () => {
    const [plane, otherPlane] = two.planes;
    const statuses: number[] = [];
    for (let i = 0; i < PER_MINUTE / 2; i++) statuses.push(await ask(plane), await ask(otherPlane));
    const beyond = [await ask(plane), await ask(otherPlane)];
    await two.redis.kill();
    const alone = await ask(plane);

    expect(statuses).toEqual(Array.from({ length: PER_MINUTE }, () => 204));
    expect(beyond).toEqual([429, 429]);
    expect(alone).toBe(204);
  });
});
