import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeAccount, TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { until } from '../../support/until.ts';

let service: BuiltApp;
let headers: Record<string, string>;
beforeEach(async () => {
  service = await buildApp({ slots: 0, env: { TROUPE_ADMIN_PASSWORD } });
  ({ headers } = await makeAccount(service, 'free', 'operator'));
});
afterEach(() => service.close());

const get = async (path: string) => (await service.call('GET', path, { headers })).json();
const alert = async (name: string) => {
  const { data } = await get('/v1/fleet/alerts');
  return data.find((each: { name: string }) => each.name === name);
};

test('without an avatar worker, the alert is pending and fires after two minutes, until one joins', async () => {
  const since = '2026-01-01T12:00:00.000000+00:00';
  const about = { severity: 'critical', since, for_minutes: 2, about: null };
  expect(await alert('TroupeNoAvatarWorkers')).toMatchObject({ ...about, state: 'pending' });

  service.clock.advance(120_000);
  expect(await alert('TroupeNoAvatarWorkers')).toEqual({
    ...about,
    name: 'TroupeNoAvatarWorkers',
    state: 'firing',
    summary: 'No avatar worker is ready.',
    advice: expect.any(String),
    runbook: '/docs/alerts#troupenoavatarworkers',
  });

  await service.join({ slots: 1 });
  expect(await alert('TroupeNoAvatarWorkers')).toBeUndefined();
});

test('lost sessions are counted over time, also for the chart', async () => {
  const [worker, otherWorker] = [
    await service.join({ slots: 4 }),
    await service.join({ slots: 4 }),
  ];
  for (let i = 0; i < 4; i++) {
    await service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });
  }
  await until(() => worker.performing.size + otherWorker.performing.size === 4);
  for (const each of [worker, otherWorker])
    for (const { placement } of each.performing.values()) await each.started(placement);
  const lostSessions = worker.performing.size;
  expect(lostSessions).toBeGreaterThan(0);
  await worker.close();
  service.clock.advance(30_000);
  await until(async () => (await get('/v1/fleet/workers')).data.length === 1);

  service.clock.advance(60_000);

  await until(async () => (await failovers()) === lostSessions);
});

async function failovers(): Promise<number> {
  const { points } = await get('/v1/fleet/history?span=hour');
  return points.reduce((sum: number, point: { failovers: number }) => sum + point.failovers, 0);
}
