import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeAccount, TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { until } from '../../support/until.ts';

let service: BuiltApp;
let operator: { 'x-api-key': string };
async function open(): Promise<void> {
  service = await buildApp({ slots: 0, env: { TROUPE_ADMIN_PASSWORD, WARM_SLOTS: '3' } });
  operator = (await makeAccount(service, 'free', 'operator')).headers;
}
const close = () => service.close();

type Method = 'GET' | 'POST' | 'DELETE';
const call = (method: Method, path: string, payload?: object) =>
  service.call(method, `/v1/fleet${path}`, { headers: operator, ...(payload && { payload }) });
const get = async (path: string) => (await call('GET', path)).json();

describe('a request about the fleet', () => {
  beforeAll(open);
  afterAll(close);

  test.each<[Method, string]>([
    ['GET', '/workers'],
    ['GET', '/pressure'],
    ['GET', '/audit'],
    ['GET', '/alerts'],
    ['POST', '/audit/repair'],
    ['POST', '/rebalance'],
    ['POST', '/workers/worker-a/drain'],
    ['POST', '/workers/worker-a/cordon'],
    ['POST', '/workers/worker-a/resume'],
    ['POST', '/worker-tokens'],
    ['GET', '/worker-tokens'],
    ['DELETE', '/worker-tokens/some'],
  ])('is for operators only: %s %s', async (method, path) => {
    const payload = path === '/worker-tokens' && method === 'POST' ? { name: 'a' } : undefined;
    const account = await makeAccount(service, 'unlimited');
    const options = { ...account, ...(payload && { payload }) };
    const url = `/v1/fleet${path}`;

    expect((await service.call(method, url, options)).statusCode).toBe(403);
    const nobody = { 'x-api-key': '' };
    expect((await service.call(method, url, { ...options, headers: nobody })).statusCode).toBe(401);
  });

  test.each([{ kind: 'face' }, { pool: '' }])('refuses a worker token %j', async (limit) => {
    const creationReply = await call('POST', '/worker-tokens', { name: 'a', ...limit });

    expect(creationReply.statusCode).toBe(422);
  });

  test('refuses a worker token without a name', async () => {
    expect((await call('POST', '/worker-tokens', {})).statusCode).toBe(422);
  });
});

describe('the fleet', () => {
  beforeEach(open);
  afterEach(close);

  test('lists connected workers with their load', async () => {
    const worker = await service.join({ slots: 4, pool: 'gpu', version: '1.2.3', host: 'rack-7' });
    worker.say({
      type: 'load',
      performing: 0,
      lateFrames: 0.01,
      draining: false,
      frameRate: 24.75,
      quality: 'fewer_frames',
    });
    await worker.atRest();

    expect(await get('/workers')).toEqual({
      data: [
        {
          id: worker.workerId,
          kind: 'avatar',
          pool: 'gpu',
          version: '1.2.3',
          host: 'rack-7',
          state: 'ready',
          cordoned: false,
          slots: 4,
          taken: 0,
          late_share: 0.01,
          frame_rate: 24.75,
          quality: 'fewer_frames',
          since: '2026-01-01T12:00:00.000000+00:00',
          drain: null,
        },
      ],
    });
  });

  test('says when a draining worker will be empty at the latest', async () => {
    const worker = await service.join({ slots: 4 });
    const payload = { avatar_id: NORA, max_session_length_minutes: 20 };
    await service.call('POST', '/v1/sessions', { payload });
    await worker.started((await worker.next('assign')).placement);
    service.clock.advance(5 * 60_000);

    const drained = await call('POST', `/workers/${worker.workerId}/drain`);

    const forecast = { sessions: 1, done_by: '2026-01-01T12:20:00.000000+00:00' };
    expect(drained.json()).toMatchObject({ drain: forecast });
    expect((await get('/workers')).data[0]).toMatchObject({ drain: forecast });
    const metrics = await service.call('GET', '/metrics');
    expect(metrics.body).toContain('troupe_drain_seconds{kind="avatar",pool="default"} 900\n');
  });

  test('does not know when a worker will be empty whose session has no limit', async () => {
    const worker = await service.join({ slots: 4 });
    await service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });
    await worker.started((await worker.next('assign')).placement);

    const drained = await call('POST', `/workers/${worker.workerId}/drain`);

    expect(drained.json()).toMatchObject({ drain: { sessions: 1, done_by: null } });
    const metrics = await service.call('GET', '/metrics');
    expect(metrics.body).toContain('troupe_drain_seconds{kind="avatar",pool="default"} +Inf\n');
  });

  test('drains a worker, which gets no new session', async () => {
    const worker = await service.join({ slots: 4 });
    const otherWorker = await service.join({ slots: 1 });

    const reply = await call('POST', `/workers/${worker.workerId}/drain`);
    await service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });

    expect(reply.statusCode).toBe(202);
    expect(reply.json()).toMatchObject({ id: worker.workerId, state: 'draining' });
    await worker.next('drain');
    await otherWorker.next('assign');
    expect((await call('POST', '/workers/nobody/drain')).statusCode).toBe(404);
  });

  test('reports the number of wanted workers', async () => {
    await service.join({ slots: 2 });
    await service.joinAgent({ slots: 5 });

    const idle = { warm_slots: 3, queue_depth: 0, queue_oldest_seconds: 0 };
    const pressure = {
      wanted_workers: 2,
      free_slots: 2,
      ...idle,
      agents: { wanted_workers: 1, free_slots: 5, ...idle },
    };
    expect(await get('/pressure')).toEqual({
      ...pressure,
      pools: [{ pool: 'default', ...pressure }],
    });
  });

  test('reports wanted workers per pool, also for a requested pool without workers', async () => {
    await service.join({ slots: 4 });
    await service.join({ slots: 8, pool: 'big gpu' });

    const idle = { warm_slots: 3, queue_depth: 0, queue_oldest_seconds: 0 };
    const emptyPool = { wanted_workers: 1, free_slots: 0, ...idle };
    const usual = { wanted_workers: 1, free_slots: 4, ...idle, agents: emptyPool };
    const gpu = { wanted_workers: 1, free_slots: 8, ...idle, agents: emptyPool };
    expect(await get('/pressure')).toEqual({
      wanted_workers: 2,
      free_slots: 12,
      ...idle,
      agents: { ...emptyPool, wanted_workers: 2 },
      pools: [
        { pool: 'big gpu', ...gpu },
        { pool: 'default', ...usual },
      ],
    });
    expect(await get('/pressure?pool=big%20gpu')).toEqual({
      ...gpu,
      pools: [{ pool: 'big gpu', ...gpu }],
    });
    expect(await get('/pressure?pool=new')).toMatchObject({ ...emptyPool, agents: emptyPool });
    expect((await call('GET', '/pressure?pool=')).statusCode).toBe(422);
  });

  test('audit lists differences between sessions, records and rooms', async () => {
    const worker = await service.join({ slots: 4 });
    await service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });
    const { placement } = await worker.next('assign');
    expect(await get('/audit')).toEqual({
      agrees: true,
      leases: 1,
      sessions: 1,
      rows: 1,
      performed: 0,
      rooms: 1,
      differences: [],
    });
    service.rooms.open.add('room-left-over');
    worker.say({ type: 'load', performing: 0, lateFrames: 0, draining: false, sessions: [] });
    await worker.atRest();

    const since = '2026-01-01T12:00:00.000000+00:00';
    const differences = [
      {
        kind: 'session_not_performed',
        session_id: placement.sessionId,
        worker_id: worker.workerId,
        room: null,
        since,
      },
      {
        kind: 'room_without_session',
        session_id: null,
        worker_id: null,
        room: 'room-left-over',
        since,
      },
    ];
    const report = await get('/audit');
    service.clock.advance(10_000);
    const repaired = (await call('POST', '/audit/repair')).json();

    expect(report).toMatchObject({ agrees: false });
    expect(report.differences).toEqual(differences.map((each) => ({ ...each, repaired: false })));
    expect(repaired.differences).toEqual(differences.map((each) => ({ ...each, repaired: true })));
    await until(() => !service.rooms.open.has('room-left-over'));
  });
});

describe('worker tokens', () => {
  beforeEach(open);
  afterEach(close);

  test('are shown once, authenticate workers and blob requests, and can be revoked', async () => {
    const creationReply = await call('POST', '/worker-tokens', { name: 'rack 7' });
    const { token, ...body } = creationReply.json();
    expect(creationReply.statusCode).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      name: 'rack 7',
      kind: null,
      pool: null,
      created_at: '2026-01-01T12:00:00.000000+00:00',
      last_used_at: null,
      revoked_at: null,
    });
    const worker = await service.join({ slots: 1, token });
    const authorization = `Bearer ${token}`;
    const blob = () =>
      service.app.server.inject({
        url: `/worker-blobs/${'a'.repeat(64)}`,
        headers: { authorization },
      });
    expect((await blob()).statusCode).toBe(404);

    const revoked = await call('DELETE', `/worker-tokens/${body.id}`);

    expect(revoked.statusCode).toBe(204);
    expect(await worker.closed()).toBe(4010);
    expect((await blob()).statusCode).toBe(401);
    const now = '2026-01-01T12:00:00.000000+00:00';
    expect(await get('/worker-tokens')).toEqual({
      data: [{ ...body, last_used_at: now, revoked_at: now }],
      has_more: false,
    });
    expect((await call('DELETE', '/worker-tokens/nobody')).statusCode).toBe(404);
  });

  test('are listed in pages', async () => {
    for (const name of ['first', 'second']) {
      await call('POST', '/worker-tokens', { name });
      service.clock.advance(1);
    }

    const page = await get('/worker-tokens?limit=1');
    const nextPage = await get(`/worker-tokens?limit=1&cursor=${page.next_cursor}`);

    expect([page.data[0].name, nextPage.data[0].name, nextPage.has_more]).toEqual([
      'second',
      'first',
      false,
    ]);
  });

  test('can be for workers of one kind and one pool', async () => {
    const creationReply = await call('POST', '/worker-tokens', {
      name: 'a',
      kind: 'avatar',
      pool: 'gpu',
    });
    const { token, ...body } = creationReply.json();

    expect(body).toMatchObject({ kind: 'avatar', pool: 'gpu' });
    const worker = await service.join({ slots: 1, token, pool: 'gpu' });
    expect(worker.isConnected).toBe(true);
    await expect(service.join({ slots: 1, token })).rejects.toThrow('4003');
  });

  test('for agent workers read and store no pictures', async () => {
    const { token } = (await call('POST', '/worker-tokens', { name: 'a', kind: 'agent' })).json();

    const blob = await service.app.server.inject({
      url: `/worker-blobs/${'a'.repeat(64)}`,
      headers: { authorization: `Bearer ${token}` },
    });

    expect(blob.statusCode).toBe(403);
  });
});
