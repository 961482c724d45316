/* Data of the console's pages beside the resources: requests, history, health, deliveries. */
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isoTime } from '#shared/iso-time.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noteInstalling } from '#shared/process/speech-installs.ts';
import { serviceHealth } from '../../../src/http/health/service-health.ts';
import { LAST_MIGRATION } from '../../../src/records/migrations/migrate.ts';
import { Browser } from '../../support/api/browser.ts';
import { API_KEY, buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { until } from '../../support/until.ts';

let service: BuiltApp;
let owner: Browser;
beforeAll(async () => {
  service = await buildApp();
  owner = await new Browser(service).openHere();
});
afterAll(() => service.close());

const get = async (path: string, headers = {}) =>
  (await service.call('GET', path, { headers })).json();

const fleet = async (span: string) =>
  (await owner.call('GET', `/v1/fleet/history?span=${span}`)).json().points;
const ids = async (query: string) =>
  (await get(`/v1/sessions?${query}`)).data.map(({ id }: { id: string }) => id);

/** The certificates of three hosts. */
const read = async ({ host }: URL) => {
  if (host === 'old.example') throw new Error('certificate has expired');
  return { valid_to: host === 'soon.example' ? 'Jan 10 2026 GMT' : 'Jun 1 2026 GMT' };
};

describe('the request log', () => {
  test('shows requests with their bodies, without secrets and what people say', async () => {
    await service.call('POST', '/v1/external-apis', {
      payload: {
        name: 'mine',
        type: 'openai_compatible_llm',
        url: 'http://127.0.0.1:9/v1',
        api_key: 'sk-very-secret',
      },
    });
    await service.call('POST', '/v1/agents', { payload: { name: 3 } });
    await owner.call('POST', '/v1/invitations', { role: 'viewer' });

    const requestLog = await owner.call('GET', '/v1/request-log');
    const { data } = requestLog.json();
    expect(requestLog.body).not.toContain('sk-very-secret');
    expect(requestLog.body).not.toContain('#link=');
    const [invited, refused, creation] = data;
    expect(invited).toMatchObject({ route: '/v1/invitations', key_id: null });
    expect(JSON.parse(invited.response_body)).toMatchObject({ role: 'viewer', link: '[hidden]' });
    expect(refused).toMatchObject({ method: 'POST', path: '/v1/agents', status: 422 });
    expect(JSON.parse(refused.request_body)).toEqual({ name: 3 });
    expect(JSON.parse(refused.response_body)).toMatchObject({ code: 'invalid_request' });
    expect(JSON.parse(creation.request_body)).toMatchObject({ name: 'mine', api_key: '[hidden]' });
    expect(creation.key_id).not.toBeNull();

    const failed = await get('/v1/request-log?status=4xx&route=/v1/agents');
    expect(failed.data).toHaveLength(1);
    // Requests of the console's pages are left out.
    expect(data.filter(({ person_id: id }: { person_id: string }) => id)).toHaveLength(1);
  });

  test('belongs to its account, and ends after an hour', async () => {
    const headers = { 'x-api-key': await service.strangerKey() };

    expect((await get('/v1/request-log', headers)).data).toEqual([]);
    service.clock.leap(3_600_000);
    expect((await get('/v1/request-log')).data).toEqual([]);
  });
});

describe('the history', () => {
  test('of sessions counts them, failures and minutes by steps', async () => {
    const open = async () =>
      (await service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } })).json().id;
    const [worker] = service.workers;
    const firstId = await open();
    const { placement } = await worker!.next('assign');
    await worker!.atRest();
    await worker!.started(placement);
    await until(async () => (await get(`/v1/sessions/${firstId}`)).status.type === 'ongoing');
    service.clock.advance(90_000);
    await service.call('POST', `/v1/sessions/${firstId}/end`);
    const second = await open();
    const { placement: refused } = await worker!.next('assign');
    await worker!.atRest();
    await worker!.ended(refused, 'room_refused');
    await until(async () => (await get(`/v1/sessions/${second}`)).status.type === 'completed');

    const { step_seconds: step, points } = await get('/v1/history?span=hour');
    const sum = (name: string) =>
      points.reduce((total: number, point: Record<string, number>) => total + point[name]!, 0);
    expect(step).toBe(60);
    expect([sum('sessions'), sum('failures'), sum('minutes')]).toEqual([2, 1, 1.5]);
    const month = await get('/v1/history?span=month');
    expect(month.points).toHaveLength(1);
    expect((await service.call('GET', '/v1/history?span=year')).statusCode).toBe(422);
  });

  test('of the fleet is sampled every minute and joined to quarters of an hour', async () => {
    for (let minute = 1; minute <= 31; minute += 1) {
      service.clock.advance(60_000);
      const at = isoTime(Math.floor(service.clock.now() / 60_000) * 60_000);
      await until(async () => (await fleet('hour')).at(-1)?.at === at);
    }

    const minutes = await fleet('hour');
    expect(minutes.at(-1)).toMatchObject({ workers: 1, slots: 20, taken: 0, taken_peak: 0 });
    await until(async () => (await fleet('day')).length > 0);
    expect((await fleet('day')).at(-1)).toMatchObject({ workers: 1, slots: 20, waiting: 0 });
    expect((await service.call('GET', '/v1/fleet/history')).statusCode).toBe(403);
  });
});

describe('the list of sessions', () => {
  test('is filtered by transport, reason and the beginning of the id', async () => {
    const [sessionId] = await ids('end_reason=room_refused');

    expect(await ids('end_reason=worker_lost')).toEqual([]);
    expect(await ids('transport=botroom')).toEqual([]);
    expect((await ids('transport=mediaserver')).length).toBe(2);
    expect(await ids(`q=${sessionId.toUpperCase()}`)).toEqual([sessionId]);
    expect(await ids(`q=${sessionId.slice(0, 30)}&end_reason=room_refused`)).toContain(sessionId);
    expect((await service.call('GET', '/v1/sessions?q=%25')).statusCode).toBe(422);
  });
});

describe('a webhook delivery', () => {
  test('is shown with the body that is sent', async () => {
    const payload = { url: 'http://127.0.0.1:9/hook', events: ['message'] };
    const { id } = (await service.call('POST', '/v1/webhooks', { payload })).json();
    const path = `/v1/webhooks/${id}/deliveries`;
    const [delivery] = (await get(path)).data;

    const fullDelivery = await get(`${path}/${delivery.id}`);

    expect(fullDelivery).toMatchObject({ id: delivery.id, type: 'test' });
    expect(JSON.parse(fullDelivery.body)).toMatchObject({ type: 'test', data: { webhook_id: id } });
  });
});

const healthOf = async (part: string) => {
  const { data } = (await owner.call('GET', '/v1/fleet/health')).json();
  return data.find(({ name }: { name: string }) => name === part);
};

/** As the media server logs it. */
const BUSY_AGENT = {
  msg: 'failed to send job request',
  error: 'no servers available (received 1 responses)',
  jobType: 'JT_ROOM',
  agentName: '',
};

describe('the health of the service', () => {
  test('is shown to operators, with its version and the migration of the database', async () => {
    const reply = await owner.call('GET', '/v1/fleet/health');

    expect(reply.json()).toMatchObject({
      version: expect.stringMatching(/^\d/),
      migration: { own: LAST_MIGRATION, newest: LAST_MIGRATION, is_newer: false },
    });
    expect(reply.json().data).toContainEqual({
      name: 'database',
      status: 'ok',
      detail: null,
      latency_ms: expect.any(Number),
    });
    const key = { 'x-api-key': API_KEY };
    expect((await service.call('GET', '/v1/fleet/health', { headers: key })).statusCode).toBe(403);
  });

  test('names what npm start is installing for agents', async () => {
    await noteInstalling(service.place.env.DATA_DIR, ['natural_voice', 'speech_recognition']);

    for (const name of ['natural_voice', 'speech_recognition']) {
      expect(await healthOf(name)).toMatchObject({
        status: 'ok',
        detail: expect.stringMatching(/^Being installed\./),
      });
    }
    await noteInstalling(service.place.env.DATA_DIR, []);
  });

  test('warns of machines that are too small for speech recognition', async () => {
    await service.joinAgent({ abilities: ['hears:en'] });
    expect(await healthOf('speech_recognition')).toBeUndefined();

    const { workerId } = await service.joinAgent({ abilities: ['too_slow_to_hear'] });

    expect(await healthOf('speech_recognition')).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining(`${workerId} is too small for speech recognition`),
    });
  });

  test('warns of jobs that agents of the built-in media server did not take', async () => {
    expect(await healthOf('agent_jobs')).toBeUndefined();

    const logs = path.join(service.place.env.DATA_DIR, 'logs');
    await mkdir(logs);
    const ts = service.clock.now() / 1000;
    const file = path.join(logs, 'media-server.log');
    await writeFile(file, `${JSON.stringify({ ts, msg: 'API RoomService.ListRooms' })}\n`);
    expect(await healthOf('agent_jobs')).toMatchObject({ status: 'ok', detail: null });

    await appendFile(file, JSON.stringify({ ts, ...BUSY_AGENT }));
    expect(await healthOf('agent_jobs')).toMatchObject({
      status: 'warning',
      detail: expect.stringMatching(/^One room .* too high a load\. .*agents\.target_load/),
    });
  });

  test('warns of certificates that end within two weeks, and fails for those that do not hold', async () => {
    const now = Date.UTC(2026, 0, 1);
    const checks = { run: async () => ({ redis: { status: 'timed_out' as const, ms: 2_000 } }) };
    const urls = [
      'https://a.example',
      'wss://soon.example',
      'https://old.example',
      'http://b.example',
    ];

    const items = await serviceHealth(checks, urls, { now: () => now }, read);

    expect(items.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'redis failed',
      'certificate ok',
      'certificate warning',
      'certificate failed',
    ]);
    expect(items.at(-1)!.detail).toBe('old.example: certificate has expired');
  });
});
