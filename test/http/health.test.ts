import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildApp, NORA, type BuiltApp } from '../support/build-app.ts';

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
  test('is good as soon as the service answers', async () => {
    const reply = await service.app.server.inject({ url: '/healthz' });

    expect(reply.statusCode).toBe(200);
  });

  test('is ready when a session would get a face', async () => {
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

  test('is not ready while the media server is away', async () => {
    await service.join({ slots: 1 });
    service.rooms.isAnswering = false;

    expect(await ready()).toMatchObject({ status: 503, ready: false, media_server: false });
  });
});

const metrics = (headers = {}, remoteAddress = '127.0.0.1') =>
  service.app.server.inject({ url: '/metrics', headers, remoteAddress });

describe('metrics', () => {
  test('tell this machine about slots and requests', async () => {
    await service.join({ slots: 3 });
    await service.call('GET', '/v1/sessions');

    const reply = await metrics();

    expect(reply.headers['content-type']).toContain('text/plain');
    expect(reply.body).toContain('troupe_fleet{count="free"} 3');
    expect(reply.body).toMatch(/troupe_http_request_seconds_count\{.*route="\/v1\/sessions".*\} 1/);
  });

  test('count sessions that started and that ended, by reason', async () => {
    const worker = await service.join({ slots: 3 });
    await service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });
    const { placement } = await worker.next('assign');
    await worker.started(placement);
    await worker.ended(placement, 'agent_left');

    const { body } = await metrics();

    expect(body).toContain('troupe_sessions_started_total 1');
    expect(body).toContain('troupe_sessions_ended_total{reason="agent_left"} 1');
  });

  test('never name a path that somebody made up', async () => {
    await service.call('GET', '/v1/secret-of-somebody');

    expect((await metrics()).body).not.toContain('secret-of-somebody');
  });

  test.each([
    { who: 'another machine', remoteAddress: '10.0.0.7', headers: {} },
    { who: 'a proxy', remoteAddress: '127.0.0.1', headers: { 'x-forwarded-for': '10.0.0.7' } },
    { who: 'a tunnel', remoteAddress: '::1', headers: { forwarded: 'for=10.0.0.7' } },
  ])('tell $who nothing', async ({ remoteAddress, headers }) => {
    const reply = await metrics(headers, remoteAddress);

    expect(reply.statusCode).toBe(403);
  });
});
