import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { adminCall, makeAccount, TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { buildApp, NORA, THEO, type BuiltApp } from '../../support/api/build-app.ts';
import { queueDepthReaches } from '../../support/api/queue-depth.ts';

let service: BuiltApp;
beforeEach(async () => {
  service = await buildApp({ slots: 0, env: { TROUPE_ADMIN_PASSWORD } });
});
afterEach(() => service.close());

const open = (avatar_id = NORA, headers = {}) =>
  service.call('POST', '/v1/sessions', { payload: { avatar_id }, headers });

describe('a session without a free slot', () => {
  test('waits, then gets 503 with the reason `full`', async () => {
    await service.join({ slots: 1 });
    await open();
    const waiting = open();
    await queueDepthReaches(service);

    service.clock.advance(2_000);

    const reply = await waiting;
    expect(reply.statusCode).toBe(503);
    expect(reply.headers['retry-after']).toBe('2');
    expect(reply.json()).toMatchObject({
      detail: 'Every avatar worker is busy. Please try again shortly.',
      reason: 'full',
    });
  });

  test('gets the reason `draining` if only draining workers could perform it', async () => {
    const worker = await service.join({ slots: 1 });
    worker.say({ type: 'load', performing: 0, lateFrames: 0, draining: true });
    await worker.atRest();
    const waiting = open();
    await queueDepthReaches(service);

    service.clock.advance(2_000);

    expect((await waiting).json()).toMatchObject({ reason: 'draining' });
  });

  test('is refused at once if no worker has its avatar', async () => {
    await service.join({ slots: 1, avatars: [THEO] });
    service.clock.advance(60_000);

    const reply = await open();

    expect(reply.statusCode).toBe(503);
    expect(reply.json()).toMatchObject({ reason: 'no_worker_for_avatar' });
  });

  test('waits for workers to reconnect after a start', async () => {
    const waiting = open();
    await queueDepthReaches(service);

    await service.join({ slots: 1 });

    expect((await waiting).statusCode).toBe(201);
  });
});

describe('the pool of an account', () => {
  test('performs only its sessions, also after a worker is lost', async () => {
    const usual = await service.join({ slots: 5 });
    const gpu = await service.join({ pool: 'gpu', slots: 5 });
    service.clock.advance(60_000);
    const { id, headers } = await makeAccount(service, 'unlimited');
    await adminCall(service)('PATCH', `/accounts/${id}`, { payload: { pool: 'gpu' } });

    await open(NORA, headers);
    await open();

    const { placement } = await gpu.next('assign');
    await usual.next('assign');
    expect([gpu.performing.size, usual.performing.size]).toEqual([1, 1]);
    const spare = await service.join({ pool: 'gpu', slots: 5 });
    gpu.crash();
    await gpu.closed();
    await spare.atRest();
    service.clock.advance(1_000);
    expect((await spare.next('assign')).placement).toEqual({ ...placement, epoch: 2 });
  });
});
