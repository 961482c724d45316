import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeAccount, TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { auditLogOf } from '../../support/api/audit-log.ts';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { newPlace, type Place } from '../../support/records/database.ts';
import type { SimulatedWorker } from '../../support/simulated-worker.ts';
import { until } from '../../support/until.ts';

let place: Place;
let service: BuiltApp;
let operator: { 'x-api-key': string };
beforeEach(async () => {
  place = await newPlace();
  service = await open();
  operator = (await makeAccount(service, 'free', 'operator')).headers;
});
afterEach(async () => {
  await service.close();
  await place.remove();
});

const open = () => buildApp({ slots: 0, place, env: { TROUPE_ADMIN_PASSWORD } });

const call = (method: 'GET' | 'PUT' | 'DELETE', payload?: object) =>
  service.call(method, '/v1/fleet/canary', { headers: operator, ...(payload && { payload }) });
const canary = async () => (await call('GET')).json();

const assignCount = ({ messages }: SimulatedWorker) =>
  messages.filter(({ type }) => type === 'assign').length;

/** New sessions until `worker` has got as many. */
async function placeOn(worker: SimulatedWorker, count: number): Promise<void> {
  const countBefore = assignCount(worker);
  while (assignCount(worker) < countBefore + count) {
    const reply = await service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });
    expect(reply.statusCode).toBe(201);
    await Promise.all(service.workers.map((each) => each.atRest()));
    // A worker that refuses is offered nothing for a moment. Otherwise the time stands still:
    // sessions that never start would end.
    if (worker.mood === 'refuses') service.clock.advance(1_000);
  }
}

/** Reports the first frame of everything that a worker was assigned. */
async function startAll(worker: SimulatedWorker): Promise<void> {
  for (const { placement } of worker.performing.values()) await worker.started(placement);
}

describe('the canary', () => {
  test('is for operators only', async () => {
    const { headers } = await makeAccount(service, 'unlimited');
    const payload = { pool: 'next', share_percent: 10 };

    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const options = { headers, ...(method === 'PUT' && { payload }) };
      expect((await service.call(method, '/v1/fleet/canary', options)).statusCode).toBe(403);
    }
  });

  test('gets its share of new sessions, and counts those that begin', async () => {
    const stable = await service.join({ slots: 100 });
    const nextWorker = await service.join({ slots: 100, pool: 'next' });

    const begun = await call('PUT', { pool: 'next', share_percent: 50 });
    await placeOn(nextWorker, 5);
    await placeOn(stable, 1);
    await Promise.all([startAll(stable), startAll(nextWorker)]);
    await until(async () => (await canary()).stable.sessions === stable.performing.size);

    expect(begun.json()).toEqual({
      pool: 'next',
      stable_pool: 'default',
      share_percent: 50,
      started_at: '2026-01-01T12:00:00.000000+00:00',
      stopped_at: null,
      canary: { sessions: 0, failures: 0 },
      stable: { sessions: 0, failures: 0 },
    });
    expect(await canary()).toMatchObject({
      canary: { sessions: nextWorker.performing.size, failures: 0 },
      stopped_at: null,
    });
  });

  test('leaves sessions to their own pool while the pool on trial is full or away', async () => {
    const stable = await service.join({ slots: 100 });
    await call('PUT', { pool: 'next', share_percent: 50 });

    await placeOn(stable, 10);

    expect(stable.performing.size).toBe(10);
  });

  test('stops when more of its sessions fail, in the records, metrics and audit log', async () => {
    const stable = await service.join({ slots: 200 });
    const nextWorker = await service.join({ slots: 200, pool: 'next' });
    await call('PUT', { pool: 'next', share_percent: 50 });
    await placeOn(stable, 12);
    await startAll(stable);
    nextWorker.mood = 'refuses';

    await placeOn(nextWorker, 4);
    await until(async () => (await canary()).stopped_at !== null);
    const countBefore = assignCount(nextWorker);
    await placeOn(stable, 12);

    expect(assignCount(nextWorker)).toBe(countBefore);
    const { body } = await service.call('GET', '/metrics');
    expect(body).toContain('troupe_canary_stopped 1\n');
    expect(body).toContain('troupe_canary_share 0\n');
    expect(body).toMatch(/troupe_canary_failures\{arm="canary"\} [3-9]\n/);
    expect(await auditLogOf(service, operator).read('?action=canary.stopped')).toMatchObject({
      data: [{ actor: { type: 'service' }, after: { pool: 'next' } }],
    });
  });

  test('counts a session that loses its worker, which its own pool takes over', async () => {
    const nextWorker = await service.join({ slots: 100, pool: 'next' });
    const stable = await service.join({ slots: 100 });
    await call('PUT', { pool: 'next', share_percent: 50 });
    await placeOn(nextWorker, 1);
    await startAll(nextWorker);
    const [sessionId] = nextWorker.performing.keys();

    nextWorker.crash();
    await until(async () => {
      const reply = await service.call('GET', '/v1/fleet/workers', { headers: operator });
      return reply.json().data.length === 1;
    });
    service.clock.advance(1_000);
    await until(() => stable.performing.has(sessionId!));

    await until(async () => (await canary()).canary.failures === 1);
    expect(await canary()).toMatchObject({ canary: { sessions: 1, failures: 1 } });
  });

  test('goes on after a restart, and ends on request', async () => {
    await call('PUT', { pool: 'next', stable_pool: 'gpu', share_percent: 20 });
    await service.close();
    service = await open();

    expect(await canary()).toMatchObject({ pool: 'next', stable_pool: 'gpu', share_percent: 20 });
    const { body } = await service.call('GET', '/metrics');
    expect(body).toContain('troupe_canary_share 0.2\n');

    expect((await call('DELETE')).statusCode).toBe(204);
    expect((await call('GET')).statusCode).toBe(404);
    expect((await call('DELETE')).statusCode).toBe(404);
  });

  test('is noticed by the other control planes', async () => {
    const otherPlane = await open();
    await call('PUT', { pool: 'next', share_percent: 20 });

    otherPlane.clock.advance(5_000);

    await until(async () =>
      (await otherPlane.call('GET', '/metrics')).body.includes('troupe_canary_share 0.2\n'),
    );
    await otherPlane.close();
  });

  test.each([
    [{ pool: 'next', share_percent: 51 }],
    [{ pool: 'next', share_percent: 0 }],
    [{ pool: 'default', share_percent: 10 }],
    [{ share_percent: 10 }],
  ])('is refused as %j', async (payload) => {
    expect((await call('PUT', payload)).statusCode).toBe(422);
  });
});
