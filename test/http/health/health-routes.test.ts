import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { buildApp, NORA, WORKER_TOKEN, type BuiltApp } from '../../support/api/build-app.ts';
import { RedisServer } from '../../support/records/redis.ts';
import { until } from '../../support/until.ts';

let service: BuiltApp;
beforeEach(async () => {
  service = await buildApp({ slots: 0 });
});
afterEach(() => service.close());

const ready = async (query = '', { app } = service) => {
  const reply = await app.server.inject({ url: `/readyz${query}` });
  return { status: reply.statusCode, ...reply.json() };
};
const OK = { status: 'ok', ms: 0 };
const FAILED = { status: 'failed', ms: 0 };
const TIMED_OUT = { status: 'timed_out', ms: 2_000 };

describe('health', () => {
  test('is ok as soon as the service answers', async () => {
    const reply = await service.app.server.inject({ url: '/healthz' });

    expect(reply.statusCode).toBe(200);
  });

  test('is ready when a session would get a slot', async () => {
    await service.join({ slots: 2 });

    expect(await ready()).toEqual({
      status: 200,
      ready: true,
      media_server: true,
      free_slots: 2,
      checks: { database: OK, media_server: OK, gateway: OK, workers: OK, disk: OK },
    });
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

  test('counts a media server that does not answer in time as unavailable', async () => {
    await service.join({ slots: 1 });
    const isUpSpy = vi.spyOn(service.rooms, 'isUp').mockReturnValue(new Promise(() => {}));

    const waiting = service.clock.dueIn(2_000);
    const reply = ready();
    await until(() => service.clock.dueIn(2_000) > waiting);
    service.clock.advance(2_000);

    expect(await reply).toMatchObject({ status: 503, checks: { media_server: TIMED_OUT } });
    expect(isUpSpy).toHaveBeenCalledTimes(1);
  });

  test('is not ready while the disk has less space than its reserve', async () => {
    const full = await buildApp({ env: { MIN_FREE_MIB: '100000000' } });

    const reply = await ready('', full);
    await full.close();

    expect(reply).toMatchObject({ status: 503, ready: false, checks: { disk: FAILED } });
  });

  test('is not ready while the gateway closes its workers', async () => {
    const stuck = new WebSocket(`${service.url}/worker-gateway`, {
      headers: { authorization: `Bearer ${WORKER_TOKEN}` },
    });
    await new Promise((resolve) => stuck.once('open', resolve));
    stuck.pause();

    const closing = service.app.close();
    const reply = await ready('?exclude=workers');
    stuck.terminate();
    await closing;

    expect(reply).toMatchObject({ status: 503, checks: { gateway: FAILED } });
  });

  test('ignores what the health check of a control plane excludes', async () => {
    service.rooms.isAnswering = false;

    const excluded = await ready('?exclude=workers,media_server');

    expect(excluded).toMatchObject({ status: 200, ready: true, media_server: false });
    expect(excluded.checks).toMatchObject({ workers: FAILED, media_server: FAILED });
    expect(await ready('?exclude=workers')).toMatchObject({ status: 503, ready: false });
  });

  test('refuses to exclude an unknown dependency', async () => {
    expect(await ready('?exclude=workers,databse')).toMatchObject({
      status: 422,
      detail: [
        {
          loc: ['query', 'exclude'],
          msg: 'Input should be a list of database, redis, media_server, gateway, workers, disk, separated by commas',
          input: 'workers,databse',
        },
      ],
    });
  });
});

describe('readiness with Redis', () => {
  let redis: RedisServer;
  beforeEach(async () => {
    redis = await RedisServer.open();
  });
  afterEach(() => redis.close());

  test('follows the loss and the return of Redis', async () => {
    const shared = await buildApp({ env: { REDIS_URL: redis.url } });
    const replyBefore = await ready('', shared);

    await redis.kill();
    await until(async () => (await ready('', shared)).checks.redis.status === 'failed');
    const away = await ready('', shared);
    await redis.start();
    await until(async () => (await ready('', shared)).checks.redis.status === 'ok');
    await shared.close();

    expect(replyBefore).toMatchObject({ status: 200, checks: { redis: OK } });
    expect(away).toMatchObject({ status: 503, free_slots: 0, checks: { workers: FAILED } });
    expect(JSON.stringify(away)).not.toMatch(/127\.0\.0\.1|ECONN|redis:/);
  });

  test('does not wait longer than two seconds for a Redis that hangs', async () => {
    const shared = await buildApp({ env: { REDIS_URL: redis.url } });
    process.kill(redis.pid, 'SIGSTOP');

    const waiting = shared.clock.dueIn(2_000);
    const reply = ready('', shared);
    await until(() => shared.clock.dueIn(2_000) >= waiting + 2);
    shared.clock.advance(2_000);
    const hung = await reply;
    process.kill(redis.pid, 'SIGCONT');
    await shared.close();

    expect(hung).toMatchObject({
      status: 503,
      checks: { database: OK, redis: TIMED_OUT, workers: TIMED_OUT },
    });
  });
});
