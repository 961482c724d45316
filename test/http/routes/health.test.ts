import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';

let service: BuiltApp;
beforeEach(async () => {
  service = await buildApp({ slots: 0 });
});
afterEach(() => service.close());

const ready = async () => {
  const reply = await service.app.server.inject({ url: '/readyz' });
  return { status: reply.statusCode, ...reply.json() };
};

describe('health', () => {
  test('is ok as soon as the service answers', async () => {
    const reply = await service.app.server.inject({ url: '/healthz' });

    expect(reply.statusCode).toBe(200);
  });

  test('is ready when a session would get a slot', async () => {
    await service.join({ slots: 2 });

    expect(await ready()).toEqual({ status: 200, ready: true, media_server: true, free_slots: 2 });
  });

  test('is not ready without a worker', async () => {
    expect(await ready()).toMatchObject({ status: 503, ready: false, free_slots: 0 });
  });

  test('is not ready while every slot is taken', async () => {
    await service.join({ slots: 1 });
    await service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });

    expect(await ready()).toMatchObject({ status: 503, ready: false, free_slots: 0 });
  });

  test('is not ready while the media server is down', async () => {
    await service.join({ slots: 1 });
    service.rooms.isAnswering = false;

    expect(await ready()).toMatchObject({ status: 503, ready: false, media_server: false });
  });
});
