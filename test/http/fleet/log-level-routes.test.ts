import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeAccount, TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { auditLogOf } from '../../support/api/audit-log.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';

let service: BuiltApp;
let headers: Record<string, string>;
beforeEach(async () => {
  service = await buildApp({ slots: 0, env: { TROUPE_ADMIN_PASSWORD } });
  ({ headers } = await makeAccount(service, 'free', 'operator'));
});
afterEach(() => service.close());

const set = (id: string, payload: object) =>
  service.call('POST', `/v1/fleet/workers/${id}/log-level`, { headers, payload });

describe('the log level of a worker', () => {
  test('is set by an order, and recorded in the audit log', async () => {
    const worker = await service.join({ slots: 1 });

    const reply = await set(worker.workerId, { level: 'debug' });

    expect(reply.statusCode).toBe(204);
    expect(await worker.next('set_log_level')).toEqual({ type: 'set_log_level', level: 'debug' });
    expect(await auditLogOf(service, headers).newest()).toMatchObject({
      action: 'worker.log_level_set',
      target_id: worker.workerId,
      after: { level: 'debug' },
    });
  });

  test('of an unknown worker is a 404, and another level than the four a 422', async () => {
    const { workerId } = await service.join({ slots: 1 });

    const replies = [
      await set('none', { level: 'debug' }),
      await set(workerId, { level: 'loud' }),
      await set(workerId, { level: 'debug', pool: 'default' }),
    ];

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([404, 422, 422]);
  });

  test('is for operators only', async () => {
    const { workerId } = await service.join({ slots: 1 });

    const path = `/v1/fleet/workers/${workerId}/log-level`;
    const reply = await service.call('POST', path, { payload: { level: 'debug' } });

    expect(reply.statusCode).toBe(403);
  });
});
