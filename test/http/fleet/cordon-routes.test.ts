import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cordonRecords } from '../../../src/records/fleet/cordons.ts';
import { makeAccount, TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { auditLogOf } from '../../support/api/audit-log.ts';
import {
  API_KEY,
  buildApp,
  NORA,
  roomToken,
  WORKER_TOKEN,
  type BuiltApp,
} from '../../support/api/build-app.ts';
import { newOperatorKey } from '../../support/api/operator-key.ts';
import {
  startTwoControlPlanes,
  type TwoControlPlanes,
} from '../../support/fleet/two-control-planes.ts';
import { newPlace, type Place } from '../../support/records/database.ts';
import { hasRedis } from '../../support/records/redis.ts';
import { SimulatedWorker } from '../../support/simulated-worker.ts';
import { until } from '../../support/until.ts';

const DAY_MS = 86_400_000;

type Action = 'cordon' | 'resume' | 'drain';

const env = { TROUPE_ADMIN_PASSWORD, SLOT_WAIT_MS: '0' };

describe('a cordoned worker', () => {
  let place: Place;
  let service: BuiltApp;
  let headers: Record<string, string>;
  const start = () => buildApp({ slots: 0, place, env });
  beforeEach(async () => {
    place = await newPlace();
    service = await start();
    ({ headers } = await makeAccount(service, 'free', 'operator'));
  });
  afterEach(async () => {
    await service.close();
    await place.remove();
  });

  const act = (id: string, action: Action) =>
    service.call('POST', `/v1/fleet/workers/${id}/${action}`, { headers });
  const workers = async () =>
    (await service.call('GET', '/v1/fleet/workers', { headers })).json().data;
  const open = async () =>
    (await service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } })).statusCode;

  test('gets no new session and keeps its own, until it is resumed', async () => {
    const worker = await service.join({ slots: 2 });
    expect(await open()).toBe(201);
    const { placement } = await worker.next('assign');
    await worker.started(placement);

    const cordoned = await act(worker.workerId, 'cordon');
    const refused = await open();
    const resumed = await act(worker.workerId, 'resume');

    const state = { state: 'cordoned', cordoned: true, taken: 1, drain: null };
    expect(cordoned.json()).toMatchObject({ id: worker.workerId, ...state });
    expect(refused).toBe(503);
    expect(worker.performing.has(placement.sessionId)).toBe(true);
    expect(resumed.json()).toMatchObject({ state: 'ready', cordoned: false });
    expect(await open()).toBe(201);
  });

  test('is recorded once for each change', async () => {
    const { workerId } = await service.join({ slots: 1 });
    for (const action of ['cordon', 'cordon', 'resume', 'resume'] as const)
      expect((await act(workerId, action)).statusCode).toBe(200);

    const { data } = await auditLogOf(service, headers).read(`?target_id=${workerId}`);

    expect(data.map(({ action }: { action: string }) => action)).toEqual([
      'worker.resumed',
      'worker.cordoned',
    ]);
  });

  test('must be connected and not drain', async () => {
    const { workerId } = await service.join({ slots: 1 });
    await act(workerId, 'drain');

    for (const action of ['cordon', 'resume'] as const) {
      expect((await act('nobody', action)).statusCode).toBe(404);
      const refused = await act(workerId, action);
      expect(refused.statusCode).toBe(409);
      expect(refused.json().detail).toContain('draining');
    }
  });

  test('stays cordoned when it reconnects and when the control plane restarts', async () => {
    const { workerId, secret = '' } = await service.join({ slots: 1 });
    await act(workerId, 'cordon');

    await service.join({ slots: 1, workerId, secret });
    expect(await workers()).toMatchObject([{ id: workerId, state: 'cordoned' }]);

    await service.close();
    service = await start();
    await service.join({ slots: 1, workerId, secret });
    expect(await workers()).toMatchObject([{ id: workerId, state: 'cordoned' }]);
    expect(await open()).toBe(503);
  });

  test('that was cordoned long ago is forgotten, unless it is connected', async () => {
    const connectedWorker = await service.join({ slots: 1 });
    const otherWorker = await service.join({ slots: 1 });
    const database = place.open();
    const records = cordonRecords(database);
    const longAgo = service.clock.now() - 31 * DAY_MS;
    await records.add(connectedWorker.workerId, longAgo);
    await records.add('gone', longAgo);
    await records.add('away', service.clock.now());

    await act(otherWorker.workerId, 'cordon');

    const remainingIds = await records.workerIds();
    await database.destroy();
    expect(new Set(remainingIds)).toEqual(
      new Set([connectedWorker.workerId, 'away', otherWorker.workerId]),
    );
  });

  test('is noticed within seconds by a control plane that was not told', async () => {
    const { workerId } = await service.join({ slots: 1 });
    const database = place.open();
    await cordonRecords(database).add(workerId, service.clock.now());
    await database.destroy();
    expect(await workers()).toMatchObject([{ state: 'ready' }]);

    service.clock.advance(5_000);

    await until(async () => (await workers())[0].state === 'cordoned');
  });
});

// Needs redis-server on the PATH; test/support/records/redis.ts says so.
describe.skipIf(!hasRedis)('with two control planes', () => {
  let two: TwoControlPlanes;
  let operator: string;
  beforeAll(async () => {
    two = await startTwoControlPlanes(env);
    operator = await newOperatorKey(two.planes[0].url, TROUPE_ADMIN_PASSWORD);
  });
  afterAll(() => two?.close());

  async function call(at: 0 | 1, method: string, path: string, key: string, body?: object) {
    const answer = await fetch(new URL(path, two.planes[at].url), {
      method,
      headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as { data?: unknown[] } };
  }
  const act = async (at: 0 | 1, id: string, action: Action) =>
    (await call(at, 'POST', `/v1/fleet/workers/${id}/${action}`, operator)).body;
  let rooms = 0;
  const open = async (at: 0 | 1) => {
    const exp = Math.floor(Date.now() / 1_000) + 3_600;
    const token = await roomToken(undefined, { exp, jti: `${(rooms += 1)}` });
    const body = { avatar_id: NORA, url: 'wss://media.example', token };
    return (await call(at, 'POST', '/v1/sessions', API_KEY, body)).status;
  };

  test('a worker that is cordoned at the other one gets no session from either, wherever it reconnects', async () => {
    const shared = { token: WORKER_TOKEN, avatars: [NORA], slots: 1 };
    const [plane, otherPlane] = two.planes;
    const worker = await new SimulatedWorker({ ...shared, url: plane.url }).join();
    const { workerId, secret = '' } = worker;

    const cordoned = await act(1, workerId, 'cordon');
    const refused = [await open(0), await open(1)];
    const returned = new SimulatedWorker({ ...shared, url: otherPlane.url, workerId, secret });
    await returned.join();
    const moved = (await call(0, 'GET', '/v1/fleet/workers', operator)).body.data;
    refused.push(await open(0), await open(1));
    const resumed = await act(0, workerId, 'resume');

    expect(cordoned).toMatchObject({ id: workerId, state: 'cordoned' });
    expect(refused).toEqual([503, 503, 503, 503]);
    expect(moved).toMatchObject([{ id: workerId, state: 'cordoned' }]);
    expect(resumed).toMatchObject({ state: 'ready', cordoned: false });
    expect(await open(0)).toBe(201);
    for (const each of [worker, returned]) await each.close();
  });
});
