import { describe, expect, test } from 'vitest';
import { newRecordId } from '#shared/ids.ts';
import { readTraceparent } from '#shared/tracing/trace-context.ts';
import { TraceIds } from '#shared/tracing/trace-ids.ts';
import type { FinishedSpan } from '#shared/tracing/finished-span.ts';
import { TypedEvents } from '#shared/typed-events.ts';
import type { SessionRecord } from '../../src/records/sessions/sessions.ts';
import type { SessionEventMap } from '../../src/sessions/session-events.ts';
import {
  placementTraceparent,
  requestSpanId,
  traceSessions,
} from '../../src/sessions/session-traces.ts';

function controlPlane() {
  const spans: FinishedSpan[] = [];
  const events = new TypedEvents<SessionEventMap>((error) => {
    throw error;
  });
  const tracer = { record: (span: FinishedSpan) => void spans.push(span), close: async () => {} };
  traceSessions({ events, tracer, traceIds: new TraceIds() });
  return { spans, events };
}

const id = newRecordId();
const session = {
  id,
  callId: null,
  kind: 'avatar',
  transport: 'mediaserver',
  avatarId: 'mira',
  pool: null,
  epoch: 2,
  createdAt: 1_000,
  startedAt: 2_000,
  endedAt: 9_000,
  endReason: 'worker_lost',
} as SessionRecord;
const moved = {
  at: 7_000,
  kind: 'moved',
  epoch: 2,
  cause: 'failover',
  fromWorkerId: 'a',
  toWorkerId: 'b',
  gapMs: 500,
} as const;

describe('spans of a session', () => {
  test('fit together when another control plane takes it over', () => {
    const [firstPlane, second] = [controlPlane(), controlPlane()];
    firstPlane.events.emit('session.started', { session });
    second.events.emit('session.timeline', { sessionId: id, callId: null, entry: moved });
    second.events.emit('session.ended', { session });

    const [start] = firstPlane.spans;
    const [outage, sessionSpan] = second.spans;
    const traceId = id.replaceAll('-', '');
    expect(sessionSpan).toMatchObject({
      traceId,
      parentSpanId: requestSpanId(traceId),
      startMs: 1_000,
      endMs: 9_000,
      error: 'worker_lost',
    });
    expect(start).toMatchObject({
      traceId,
      parentSpanId: sessionSpan?.spanId,
      name: 'first frame',
    });
    expect(outage).toMatchObject({ traceId, parentSpanId: sessionSpan?.spanId, startMs: 6_500 });
  });

  test('are parents of the worker of each placement', () => {
    const { spans, events } = controlPlane();
    for (const epoch of [1, 2]) {
      const entry = { at: 0, kind: 'assigned', epoch, workerId: 'a', tookMs: 3 } as const;
      events.emit('session.timeline', { sessionId: id, callId: null, entry });
    }

    expect(readTraceparent(placementTraceparent(session))?.spanId).toBe(spans[1]?.spanId);
    expect(spans[0]?.spanId).not.toBe(spans[1]?.spanId);
  });

  test.each([
    ['agent_left', undefined],
    ['never_started', 'never_started'],
    ['service_stopped', 'service_stopped'],
  ] as const)('that ended as %s have the error %s', (endReason, error) => {
    const { spans, events } = controlPlane();
    events.emit('session.ended', { session: { ...session, endReason } });

    expect(spans[0]?.error).toBe(error);
  });
});
