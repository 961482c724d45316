import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changePlan, TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { until } from '../../support/until.ts';

let service: BuiltApp;
beforeEach(async () => {
  service = await buildApp({ env: { TROUPE_ADMIN_PASSWORD } });
});
afterEach(() => service.close());

const HOUR = 3_600_000;
const usage = async (headers = {}) => (await service.call('GET', '/v1/usage', { headers })).json();

describe('usage', () => {
  test('is zero for an unused account', async () => {
    expect(await usage()).toEqual({
      plan: 'unlimited',
      period: {
        started_at: '2026-01-01T00:00:00.000000+00:00',
        ends_at: '2026-02-01T00:00:00.000000+00:00',
      },
      minutes_used: 0,
      minutes_limit: null,
      overage_allowed: true,
      sessions_live: 0,
      sessions_limit: null,
    });
  });

  test('counts minutes of all sessions from their first frame, including live ones', async () => {
    const [worker] = service.workers;
    for (const minutes of [30, 15]) {
      await service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });
      const assign = await worker?.next('assign');
      if (assign) await worker?.started(assign.placement, minutes * 60_000);
    }
    await service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });

    await worker?.atRest();
    expect(await usage()).toMatchObject({ minutes_used: 0, sessions_live: 3 });
    service.clock.leap(HOUR / 2);

    // The third session never started.
    await until(async () => (await usage()).sessions_live === 2);
    expect(await usage()).toMatchObject({ minutes_used: 60 });
  });

  test('includes the limits of the plan', async () => {
    await changePlan(service, 'creator');

    expect(await usage()).toMatchObject({
      plan: 'creator',
      minutes_limit: 300,
      overage_allowed: false,
      sessions_limit: 3,
    });
  });

  test('covers only the caller’s account', async () => {
    await service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });

    const strangerUsage = await usage({ 'x-api-key': await service.strangerKey() });

    expect(strangerUsage).toMatchObject({ sessions_live: 0 });
  });
});
