/* A change of an API key at one control plane holds at once at the others, through Redis. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeAccount, adminCall, TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { newPlace, type Place } from '../../support/records/database.ts';
import { hasRedis, RedisServer } from '../../support/records/redis.ts';
import { until } from '../../support/until.ts';

const statusAt = async (plane: BuiltApp, headers: Record<string, string>): Promise<number> =>
  (await plane.call('GET', '/v1/sessions', { headers })).statusCode;

// Needs redis-server on the PATH; test/support/records/redis.ts says so.
describe.skipIf(!hasRedis)('a key that two control planes know', () => {
  let redis: RedisServer;
  let place: Place;
  let planes: BuiltApp[];
  beforeAll(async () => {
    redis = await RedisServer.open();
    place = await newPlace();
    const env = { TROUPE_ADMIN_PASSWORD, REDIS_URL: redis.url };
    planes = [await buildApp({ place, env }), await buildApp({ place, env, slots: 0 })];
  });
  afterAll(async () => {
    for (const plane of planes) await plane.close();
    await place.remove();
    await redis.close();
  });

  // Time stands still, so a lookup that is cached for a second would never end.
  test.each([
    { what: 'revoked', method: 'DELETE', change: undefined, status: 401 },
    { what: 'limited', method: 'PATCH', change: { scopes: ['agents:read'] }, status: 403 },
    {
      what: 'bound to a network',
      method: 'PATCH',
      change: { allowed_networks: ['203.0.113.0/24'] },
      status: 403,
    },
  ] as const)('is refused by the other when it is $what', async ({ method, change, status }) => {
    const [plane, otherPlane] = planes as [BuiltApp, BuiltApp];
    const { id, keyId, headers } = await makeAccount(plane, 'unlimited');
    expect([await statusAt(plane, headers), await statusAt(otherPlane, headers)]).toEqual([
      200, 200,
    ]);

    const payload = change && { payload: change };
    await adminCall(plane)(method, `/accounts/${id}/keys/${keyId}`, { ...payload });

    expect(await statusAt(plane, headers)).toBe(status);
    await until(async () => (await statusAt(otherPlane, headers)) === status);
  });

  test('ends event streams at the other when it is revoked', async () => {
    const [plane, otherPlane] = planes as [BuiltApp, BuiltApp];
    const { id, keyId, headers } = await makeAccount(plane, 'unlimited');
    const opened = await plane.call('POST', '/v1/sessions', {
      payload: { avatar_id: NORA },
      headers,
    });
    const path = `/v1/sessions/${opened.json().id}/events`;
    const stream = await fetch(`${otherPlane.url}${path}`, { headers });
    expect(stream.status).toBe(200);

    await adminCall(plane)('DELETE', `/accounts/${id}/keys/${keyId}`);

    expect(await stream.text()).toContain('event: session');
  });
});
