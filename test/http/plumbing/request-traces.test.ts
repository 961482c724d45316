import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { linePath } from '#protocol/call-brief.ts';
import { TraceIds } from '#shared/tracing/trace-ids.ts';
import { createLog } from '#shared/log.ts';
import { addAgent } from '../../support/api/agent.ts';
import { API_KEY, buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { loseWorker } from '../../support/api/lose-worker.ts';
import { startOtlpReceiver } from '../../support/otlp-receiver.ts';
import { until } from '../../support/until.ts';
import { SECOND_AVATAR } from '../../support/cast.ts';

let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>;
let service: BuiltApp | null;
let lines: Record<string, unknown>[];

const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);

const start = async (env: Record<string, string> = {}) => {
  const traceIds = new TraceIds();
  const log = createLog({ name: 'test', traceIds }, { write });
  return (service = await buildApp({ slots: 2, log, traceIds, env }));
};

beforeEach(async () => {
  lines = [];
  receiver = await startOtlpReceiver();
});
afterEach(async () => {
  await service?.close();
  await receiver.close();
});

const traced = () => start({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });

/** Sends what waits. */
const finish = async () => {
  await service?.close();
  service = null;
};

const idOf = (uuid: string) => uuid.replaceAll('-', '');

describe('the trace of a session', () => {
  test('leads from the request over its placement to its end', async () => {
    const { call, clock, workers } = await traced();
    const outer = 'c'.repeat(32);
    const reply = await call('POST', '/v1/sessions', {
      payload: { avatar_id: NORA },
      headers: { traceparent: `00-${outer}-${'d'.repeat(16)}-01` },
    });
    const { id } = reply.json() as { id: string };
    const { placement, traceparent } = await workers[0]!.next('assign');
    clock.advance(300);
    await workers[0]!.started(placement);
    clock.advance(5_000);
    await workers[0]!.ended(placement, 'agent_left');
    await finish();

    const { spans } = receiver;
    const named = (name: string) => spans.find((span) => span.name === name);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([idOf(id)]));
    const [request, session] = [named('POST /v1/sessions'), named('session')];
    expect(request).toMatchObject({
      parentSpanId: '',
      kind: 2,
      links: [outer],
      attributes: { 'http.response.status_code': 201 },
    });
    expect(session).toMatchObject({
      service: 'troupe-control',
      parentSpanId: request?.spanId,
      attributes: { 'troupe.session.id': id, 'troupe.end_reason': 'agent_left' },
      error: null,
    });
    for (const name of ['wait for a slot', 'placement', 'first frame'])
      expect(named(name), name).toMatchObject({ parentSpanId: session?.spanId });
    const firstFrame = named('first frame')!;
    expect(firstFrame.endMs - firstFrame.startMs).toBe(300);
    expect(traceparent).toBe(`00-${idOf(id)}-${named('placement')?.spanId}-01`);
    const aboutIt = lines.filter((line) => line['sessionId'] === id);
    expect(aboutIt.length).toBeGreaterThan(2);
    for (const line of aboutIt) expect(line['trace_id']).toBe(idOf(id));
  });

  test('goes on with another worker, and shows the time without a face', async () => {
    const { call, clock, workers, join } = await traced();
    await call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });
    const firstAssignment = await workers[0]!.next('assign');
    await workers[0]!.started(firstAssignment.placement);
    const otherWorker = await join({ slots: 1 });
    await loseWorker(service!, () => workers[0]!.crash());
    const second = await otherWorker.next('assign');
    clock.advance(400);
    await otherWorker.started(second.placement);
    await otherWorker.ended(second.placement, 'agent_left');
    await finish();

    const placements = receiver.spans.filter(({ name }) => name === 'placement');
    expect(placements.map(({ attributes }) => attributes['troupe.epoch'])).toEqual([1, 2]);
    expect(new Set(receiver.spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(second.traceparent).toContain(placements[1]?.spanId);
    expect(receiver.spans.find(({ name }) => name === 'outage')).toMatchObject({
      attributes: { 'troupe.cause': 'failover', 'troupe.worker.id': otherWorker.workerId },
    });
  });

  test('is that of the call for both of its sessions, in log lines too', async () => {
    const { app, call, workers, agents } = await traced();
    const agent = await addAgent(service!);
    const reply = await call('POST', '/v1/calls', { payload: { agent_id: agent.id } });
    const { id } = reply.json() as { id: string };
    const face = await workers[0]!.next('assign');
    const conversation = await agents[0]!.next('assign');
    await workers[0]!.started(face.placement);
    await agents[0]!.started(conversation.placement);
    const latency = { transcriptMs: null, firstTokenMs: 400, firstAudioMs: 800, firstFrameMs: 900 };
    const lineReply = await app.server.inject({
      method: 'PUT',
      url: linePath(id, 'line-1'),
      headers: agents[0]!.headers,
      payload: { sender: 'ai', text: 'Nobody reads this.', agoMs: 0, latency },
    });
    expect(lineReply.statusCode).toBe(204);
    await workers[0]!.ended(face.placement, 'agent_left');
    await finish();

    const answer = receiver.spans.find(({ name }) => name === 'answer')!;
    expect(answer.endMs - answer.startMs).toBe(900);
    expect(answer.attributes).toEqual({
      'troupe.call.id': id,
      'troupe.first_token_ms': 400,
      'troupe.first_audio_ms': 800,
      'troupe.first_frame_ms': 900,
    });
    expect(face.traceparent).toContain(idOf(id));
    expect(conversation.traceparent).toContain(idOf(id));
    expect(new Set(receiver.spans.map(({ traceId }) => traceId))).toEqual(new Set([idOf(id)]));
    expect(receiver.spans.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['POST /v1/calls', 'session', 'conversation', 'agent joined']),
    );
    const started = lines.filter(({ msg }) => msg === 'session started');
    expect(started.map((line) => line['trace_id'])).toEqual([idOf(id), idOf(id)]);
  });

  test('begins with a websocket that creates the session', async () => {
    const { url, workers } = await traced();
    const address = `${url.replace('http', 'ws')}/compat/ojin?config_id=${SECOND_AVATAR.alias}`;
    const socket = new WebSocket(address, { headers: { authorization: API_KEY } });
    const closed = once(socket, 'close');
    const { placement } = await workers[0]!.next('assign');
    await workers[0]!.started(placement);
    await workers[0]!.ended(placement, 'agent_left');
    socket.terminate();
    await closed;
    await finish();

    const session = receiver.spans.find(({ name }) => name === 'session');
    expect(receiver.spans.find(({ kind }) => kind === 2)).toMatchObject({
      name: 'GET /compat/ojin',
      spanId: session?.parentSpanId,
      parentSpanId: '',
    });
  });

  test('does not exist for a request that creates none', async () => {
    const { call } = await traced();
    await call('POST', '/v1/sessions', { payload: { avatar_id: 'nobody' } });
    await finish();

    expect(receiver.requests).toEqual([]);
  });

  test('breaks nothing while its receiver is away', async () => {
    const { call, clock, workers } = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    });
    const reply = await call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });
    const { placement } = await workers[0]!.next('assign');
    await workers[0]!.started(placement);
    await workers[0]!.ended(placement, 'agent_left');

    expect(reply.statusCode).toBe(201);
    const { id } = reply.json() as { id: string };
    expect((await call('GET', `/v1/sessions/${id}`)).json().status.type).toBe('completed');
    let isClosed = false;
    void finish().then(() => (isClosed = true));
    // The tracer stops to wait for its receiver.
    await until(() => {
      clock.advance(2_000);
      return isClosed;
    });
  });
});

describe('without an endpoint', () => {
  test('workers get no trace context', async () => {
    const { call, workers } = await start();
    await call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });

    expect(await workers[0]!.next('assign')).not.toHaveProperty('traceparent');
  });
});
