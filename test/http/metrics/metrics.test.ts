import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { linePath } from '#protocol/call-brief.ts';
import { END_REASONS } from '#protocol/end-reasons.ts';
import {
  BOTROOM_METRICS,
  CANARY_METRICS,
  OVERFLOW_METRICS,
  CALL_METRICS,
  FLEET_METRICS,
  SESSION_METRICS,
} from '#protocol/metric-names.ts';
import { addAgent } from '../../support/api/agent.ts';
import { makeAccount, TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { until } from '../../support/until.ts';
import { queueDepthReaches } from '../../support/api/queue-depth.ts';

let service: BuiltApp;
async function start(): Promise<void> {
  service = await buildApp({ slots: 0, env: { TROUPE_ADMIN_PASSWORD, WARM_SLOTS: '4' } });
}
const close = () => service.close();

const metrics = (headers = {}, remoteAddress = '127.0.0.1') =>
  service.app.server.inject({ url: '/metrics', headers, remoteAddress });

const open = (headers = {}) =>
  service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA }, headers });

/** The lines of one metric, without its help. */
const linesOf = async (name: string): Promise<string[]> =>
  (await metrics()).body
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));

describe('metrics', () => {
  beforeEach(start);
  afterEach(close);

  test('are present from the start', async () => {
    const { body, headers } = await metrics();

    expect(headers['content-type']).toContain('text/plain');
    const names = {
      ...FLEET_METRICS,
      ...SESSION_METRICS,
      ...CALL_METRICS,
      ...BOTROOM_METRICS,
      ...CANARY_METRICS,
      ...OVERFLOW_METRICS,
    };
    for (const name of Object.keys(names)) {
      expect(body, name).toContain(`# TYPE ${name} `);
    }
    expect(await linesOf('troupe_sessions_total')).toEqual(
      END_REASONS.map((reason) => `troupe_sessions_total{end_reason="${reason}"} 0`),
    );
  });

  test('show connected workers and drop disconnected ones', async () => {
    const gpu = await service.join({ slots: 3, pool: 'gpu', version: '1.2.3' });
    await service.join({ slots: 1 });
    await service.join({ slots: 1 });
    expect((await linesOf('troupe_workers')).toSorted()).toEqual([
      'troupe_workers{kind="avatar",state="ready",pool="default",version="0.0.0"} 2',
      'troupe_workers{kind="avatar",state="ready",pool="gpu",version="1.2.3"} 1',
    ]);

    gpu.say({ type: 'load', performing: 0, lateFrames: 0, draining: true });
    await gpu.atRest();

    expect(await linesOf('troupe_workers')).toContain(
      'troupe_workers{kind="avatar",state="draining",pool="gpu",version="1.2.3"} 1',
    );
    expect(await linesOf('troupe_workers')).toHaveLength(2);
  });

  test('show slots, queue and wanted workers', async () => {
    await service.join({ slots: 1 });
    await service.joinAgent({ slots: 5 });
    await open();
    const draining = await service.join({ slots: 3 });
    draining.say({ type: 'load', performing: 0, lateFrames: 0, draining: true });
    await draining.atRest();
    const waiting = Promise.all([open(), open()]);
    await queueDepthReaches(service, 2);
    service.clock.advance(500);

    expect(await linesOf('troupe_slots')).toEqual([
      'troupe_slots{kind="avatar",state="free",pool="default"} 0',
      'troupe_slots{kind="avatar",state="taken",pool="default"} 1',
      'troupe_slots{kind="avatar",state="withheld",pool="default"} 3',
      'troupe_slots{kind="agent",state="free",pool="default"} 5',
      'troupe_slots{kind="agent",state="taken",pool="default"} 0',
      'troupe_slots{kind="agent",state="withheld",pool="default"} 0',
    ]);
    expect(await linesOf('troupe_queue_depth')).toEqual([
      'troupe_queue_depth{kind="avatar",pool="default"} 2',
      'troupe_queue_depth{kind="agent",pool="default"} 0',
    ]);
    expect(await linesOf('troupe_queue_oldest_seconds')).toContain(
      'troupe_queue_oldest_seconds{kind="avatar",pool="default"} 0.5',
    );
    // One session runs, two wait and four slots are kept free, at two slots per worker.
    expect(await linesOf('troupe_wanted_workers')).toEqual([
      'troupe_wanted_workers{kind="avatar",pool="default"} 4',
      'troupe_wanted_workers{kind="agent",pool="default"} 1',
    ]);
    service.clock.advance(1_500);
    await waiting;
  });

  test('show wanted workers per pool and drop a removed pool', async () => {
    await service.join({ slots: 4 });
    const gpu = await service.join({ slots: 2, pool: 'gpu' });
    const wantedLines = await linesOf('troupe_wanted_workers');
    expect(wantedLines).toContain('troupe_wanted_workers{kind="avatar",pool="default"} 1');
    expect(wantedLines).toContain('troupe_wanted_workers{kind="avatar",pool="gpu"} 2');

    await gpu.close();
    await until(async () => (await linesOf('troupe_workers')).length === 1);

    const remainingLines = await linesOf('troupe_wanted_workers');
    expect(remainingLines.filter((line) => line.includes('gpu'))).toEqual([]);
  });

  test('show the mean frame rate of all sessions', async () => {
    const [lightWorker, busyWorker] = [
      await service.join({ slots: 4 }),
      await service.join({ slots: 4 }),
    ];
    lightWorker.say({ type: 'load', performing: 1, lateFrames: 0, draining: false, frameRate: 21 });
    busyWorker.say({ type: 'load', performing: 3, lateFrames: 0, draining: false, frameRate: 25 });
    await Promise.all([lightWorker.atRest(), busyWorker.atRest()]);

    expect(await linesOf('troupe_frame_rate')).toEqual(['troupe_frame_rate 24']);
  });

  test('show the quality of avatar workers, and its changes', async () => {
    const worker = await service.join({ slots: 4 });
    await service.join({ slots: 4, pool: 'gpu' });
    await open();
    const { placement } = await worker.next('assign');
    await worker.started(placement);
    const quality = 'mouth_only';
    worker.say({ type: 'load', performing: 1, lateFrames: 0.5, draining: false, quality });
    worker.say({
      type: 'noted',
      placement,
      happenings: [
        { kind: 'quality', agoMs: 0, quality },
        { kind: 'quality', agoMs: 0, quality: 'later' },
      ] as never,
    });
    await worker.atRest();

    const qualities = ['full', 'fewer_frames', 'smaller_picture', 'mouth_only', 'still_picture'];
    expect(await linesOf('troupe_worker_quality')).toEqual(
      [
        ['default', quality],
        ['gpu', 'full'],
      ].flatMap(([pool, poolQuality]) =>
        qualities.map(
          (name) =>
            `troupe_worker_quality{pool="${pool}",quality="${name}"} ${name === poolQuality ? 1 : 0}`,
        ),
      ),
    );
    await until(async () => {
      const lines = await linesOf('troupe_quality_changes_total');
      return lines.includes(`troupe_quality_changes_total{quality="${quality}"} 1`);
    });
    expect(await linesOf('troupe_quality_changes_total')).toHaveLength(qualities.length);
  });

  test('show the audio-video offset of each session that spoke', async () => {
    const worker = await service.join({ slots: 4 });
    const load = { type: 'load', performing: 2, lateFrames: 0, draining: false } as const;
    worker.say({ ...load, avOffsetsMs: [1.5, 30] });
    worker.say(load);
    await worker.atRest();

    const name = 'troupe_av_offset_seconds';
    expect(await linesOf(`${name}_bucket`)).toEqual(
      [
        ['0.0025', 1],
        ['0.005', 1],
        ['0.01', 1],
        ['0.02', 1],
        ['0.04', 2],
        ['0.08', 2],
        ['0.16', 2],
        ['+Inf', 2],
      ].map(([le, count]) => `${name}_bucket{le="${le}"} ${count}`),
    );
    expect(await linesOf(`${name}_count`)).toEqual([`${name}_count 2`]);
  });

  test('count sessions by end reason, and time their starts', async () => {
    const worker = await service.join({ slots: 3 });
    await open();
    const { placement } = await worker.next('assign');
    service.clock.advance(300);
    await worker.started(placement);
    await worker.ended(placement, 'agent_left');

    expect(await linesOf('troupe_sessions_total')).toContain(
      'troupe_sessions_total{end_reason="agent_left"} 1',
    );
    for (const phase of ['slot', 'assign', 'face', 'total']) {
      expect(await linesOf('troupe_session_start_seconds_count')).toContain(
        `troupe_session_start_seconds_count{phase="${phase}"} 1`,
      );
    }
    expect(await linesOf('troupe_session_start_seconds_sum')).toContain(
      'troupe_session_start_seconds_sum{phase="face"} 0.3',
    );
  });

  test('time a start from its request, with the wait for a slot', async () => {
    await service.join({ slots: 1 });
    await open();
    const waiting = open();
    await queueDepthReaches(service);
    service.clock.advance(700);
    const worker = await service.join({ slots: 1 });
    await waiting;
    const { placement } = await worker.next('assign');
    service.clock.advance(200);
    await worker.started(placement);

    const sums = await linesOf('troupe_session_start_seconds_sum');
    expect(sums).toContain('troupe_session_start_seconds_sum{phase="face"} 0.2');
    expect(sums).toContain('troupe_session_start_seconds_sum{phase="total"} 0.9');
  });

  test('time each answer of a managed agent once', async () => {
    await service.join({ slots: 1 });
    const agentWorker = await service.joinAgent({ slots: 1 });
    const agent = await addAgent(service);
    const { id } = (
      await service.call('POST', '/v1/calls', { payload: { agent_id: agent.id } })
    ).json();
    await agentWorker.next('assign');
    const latency = { transcriptMs: null, firstTokenMs: 400, firstAudioMs: 800, firstFrameMs: 900 };
    const payload = { sender: 'ai', text: 'Hello!', agoMs: 0, latency };
    const say = () =>
      service.app.server.inject({
        method: 'PUT',
        url: linePath(id, 'line-1'),
        headers: agentWorker.headers,
        payload,
      });
    expect((await say()).statusCode).toBe(204);
    expect((await say()).statusCode).toBe(204);

    expect(await linesOf('troupe_answer_seconds_sum')).toEqual([
      'troupe_answer_seconds_sum{stage="transcript"} 0',
      'troupe_answer_seconds_sum{stage="first_token"} 0.4',
      'troupe_answer_seconds_sum{stage="first_audio"} 0.8',
      'troupe_answer_seconds_sum{stage="first_frame"} 0.9',
    ]);
    expect(await linesOf('troupe_answer_seconds_count')).toContain(
      'troupe_answer_seconds_count{stage="transcript"} 0',
    );
  });

  test('count refused sessions by reason', async () => {
    await service.join({ slots: 1 });
    const { headers } = await makeAccount(service, 'free');
    await open(headers);
    await open(headers);
    const waiting = open();
    await queueDepthReaches(service);
    service.clock.advance(2_000);
    await waiting;
    service.clock.advance(60_000);
    await service.workers[0]?.close();
    await open({ 'x-api-key': 'nobody' });

    const lines = await linesOf('troupe_rejections_total');

    expect(lines).toContain('troupe_rejections_total{reason="full"} 1');
    expect(lines).toContain('troupe_rejections_total{reason="concurrency_limit"} 1');
    expect(lines).toContain('troupe_rejections_total{reason="draining"} 0');
    expect(lines).toContain('troupe_rejections_total{reason="no_agent_worker"} 0');
    expect(lines).toHaveLength(7);
  });

  test('count and time failovers', async () => {
    const worker = await service.join({ slots: 1 });
    await open();
    const { placement } = await worker.next('assign');
    await worker.started(placement);
    const spare = await service.join({ slots: 1 });
    worker.crash();
    await worker.closed();
    await spare.atRest();
    service.clock.advance(1_000);
    const repeatedAssignment = await spare.next('assign');
    service.clock.advance(700);
    await spare.started(repeatedAssignment.placement);

    expect(await linesOf('troupe_failovers_total')).toEqual([
      'troupe_failovers_total{kind="avatar"} 1',
      'troupe_failovers_total{kind="agent"} 0',
    ]);
    expect(await linesOf('troupe_failover_seconds_sum')).toEqual([
      'troupe_failover_seconds_sum 0.7',
    ]);
  });

  test('count handovers apart from failovers', async () => {
    const worker = await service.join({ slots: 1 });
    await open();
    const { placement } = await worker.next('assign');
    await worker.started(placement);
    const spare = await service.join({ slots: 1 });
    worker.say({ type: 'load', performing: 1, lateFrames: 0, draining: true, drainLeftMs: 0 });
    await worker.next('release');
    worker.say({ type: 'released', placement });
    const repeatedAssignment = await spare.next('assign');
    await spare.started(repeatedAssignment.placement);

    await until(async () =>
      (await linesOf('troupe_handovers_total')).includes('troupe_handovers_total{kind="avatar"} 1'),
    );
    expect(await linesOf('troupe_failovers_total')).toContain(
      'troupe_failovers_total{kind="avatar"} 0',
    );
  });

  test('time requests', async () => {
    await service.call('GET', '/v1/sessions');

    expect((await metrics()).body).toMatch(
      /troupe_http_request_seconds_count\{.*route="\/v1\/sessions".*\} 1/,
    );
  });
});

describe('a request for metrics', () => {
  beforeAll(start);
  afterAll(close);

  test('of an unknown path is not named in them', async () => {
    await service.call('GET', '/v1/secret-of-somebody');

    expect((await metrics()).body).not.toContain('secret-of-somebody');
  });

  test.each([
    { who: 'another machine', remoteAddress: '10.0.0.7', headers: {} },
    { who: 'a proxy', remoteAddress: '127.0.0.1', headers: { 'x-forwarded-for': '10.0.0.7' } },
    { who: 'a tunnel', remoteAddress: '::1', headers: { forwarded: 'for=10.0.0.7' } },
    { who: 'a tunnel that keeps the name', remoteAddress: '::1', headers: { host: 'a.example' } },
    {
      who: 'a rebound name',
      remoteAddress: '127.0.0.1',
      headers: { host: 'localhost.a.example:80' },
    },
  ])('is refused to $who', async ({ remoteAddress, headers }) => {
    const reply = await metrics(headers, remoteAddress);

    expect(reply.statusCode).toBe(403);
  });

  test.each(['localhost:8080', '127.0.0.1', '[::1]:8080'])(
    'is answered here as %s',
    async (host) => {
      expect((await metrics({ host })).statusCode).toBe(200);
    },
  );

  test.each([
    { PUBLIC_URL: 'https://troupe.example' },
    { CHAT_URL: 'https://chat.example' },
    { TRUSTED_PROXIES: '127.0.0.1' },
  ])('needs an operator key where a proxy may be in front: %o', async (env) => {
    const behind = await buildApp({ slots: 0, env: { TROUPE_ADMIN_PASSWORD, ...env } });
    const ask = (headers = {}) => behind.app.server.inject({ url: '/metrics', headers });
    const { headers } = await makeAccount(behind, 'free', 'operator');

    const replies = [await ask(), await ask(headers)];
    await behind.close();

    expect(replies.map((reply) => reply.statusCode)).toEqual([403, 200]);
  });
});
