import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AVATAR, openAgentsRoom } from '../../stage/agents-room.ts';
import { startOtlpReceiver, type ReceivedSpan } from '../../support/otlp-receiver.ts';
import { AvatarViewer } from '../../support/picture/avatar-viewer.ts';
import { startService, type RunningService } from '../../support/processes/service.ts';
import { risingTone } from '../../support/sound/rising-tone.ts';
import { until } from '../../support/until.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

const RATE = 24_000;
/** Clocks and rounding; all processes run on one machine. */
const TOLERANCE_MS = 5;

let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>;
let service: RunningService;
beforeAll(async () => {
  receiver = await startOtlpReceiver();
  service = await startService({
    env: { AGENT_SLOTS: '1', OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, LOG_LEVEL: 'info' },
  });
});
afterEach(() => void receiver.spans.splice(0));
afterAll(async () => {
  await service?.stop();
  await receiver?.close();
});

/** Each span with its parent, sorted. */
const storyOf = (spans: ReceivedSpan[]): string[] =>
  spans
    .map((span) => {
      const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
      return `${span.service}: ${span.name} < ${parent?.name ?? 'nothing'}`;
    })
    .toSorted();

describe('a session', () => {
  test('is one trace over all processes, from its request to each utterance', async () => {
    const viewer = new AvatarViewer(AVATAR);
    const { id, agent } = await openAgentsRoom(service, viewer);
    await viewer.sees(25);
    for (const seconds of [1, 0.5]) {
      const finished = agent.nextFinished();
      await agent.say(risingTone(RATE, seconds), RATE);
      await finished;
    }
    await service.api(`/v1/sessions/${id}/end`, { method: 'POST' });
    await Promise.all(['session', 'performance'].map((name) => receiver.received(name)));
    await viewer.leave();
    await agent.leave();

    const { spans } = receiver;
    const traceId = id.replaceAll('-', '');
    for (const span of spans) expect(span, span.name).toMatchObject({ traceId, error: null });
    console.log(
      spans.map((span) => `${span.name}: ${Math.round(span.endMs - span.startMs)} ms`).join(', '),
    );
    expect(storyOf(spans)).toEqual(
      [
        'troupe-control: POST /v1/sessions < nothing',
        'troupe-control: wait for a slot < session',
        'troupe-control: session < POST /v1/sessions',
        'troupe-control: placement < session',
        'troupe-control: first frame < session',
        'troupe-avatar-worker: performance < placement',
        'troupe-avatar-worker: join < performance',
        'troupe-avatar-worker: first frame < performance',
        'troupe-avatar-worker: utterance < performance',
        'troupe-avatar-worker: utterance < performance',
      ].toSorted(),
    );
    const named = (name: string, of: string) =>
      spans.find((span) => span.name === name && span.service === `troupe-${of}`)!;
    const [firstFrame, performance] = [
      named('first frame', 'control'),
      named('performance', 'avatar-worker'),
    ];
    expect(firstFrame.endMs).toBeGreaterThan(performance.startMs);
    for (const span of spans.filter(({ name }) => name === 'utterance')) {
      expect(span.startMs).toBeGreaterThanOrEqual(firstFrame.endMs - TOLERANCE_MS);
      expect(span.events).toEqual(['playback started']);
      expect(span.attributes).toMatchObject({ 'troupe.interrupted': false });
    }
    const lines = (await service.logOf('worker')).split('\n').filter((line) => line.includes(id));
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(line).toContain(`"trace_id":"${traceId}"`);
  });
});

describe('a call', () => {
  test('is one trace with the face and the conversation', async () => {
    const { id: agent_id } = await service.make('/v1/agents', {
      avatar_id: FIRST_AVATAR.alias,
      name: 'Ada',
    });
    const { id } = await service.make('/v1/calls', { agent_id });
    await receiver.received('first frame');
    await receiver.received('agent joined');
    await service.api(`/v1/calls/${id}/end`, { method: 'POST' });
    await until(() => receiver.spans.filter(({ name }) => name === 'performance').length === 2);
    await receiver.received('conversation');
    await receiver.received('session');

    const { spans } = receiver;
    for (const span of spans)
      expect(span, span.name).toMatchObject({ traceId: id.replaceAll('-', ''), error: null });
    expect(storyOf(spans)).toEqual(
      expect.arrayContaining([
        'troupe-control: POST /v1/calls < nothing',
        'troupe-control: session < POST /v1/calls',
        'troupe-control: conversation < POST /v1/calls',
        'troupe-control: agent joined < conversation',
        'troupe-avatar-worker: performance < placement',
        'troupe-agent-worker: performance < placement',
        'troupe-agent-worker: agent joined < performance',
      ]),
    );
  });
});
