import { describe, expect, test } from 'vitest';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Assign } from '#protocol/worker/gateway-messages.ts';
import { TraceIds } from '#shared/tracing/trace-ids.ts';
import type { FinishedSpan } from '#shared/tracing/finished-span.ts';
import {
  CannotPerform,
  type PerformanceListener,
} from '../../../../workers/runtime/performance.ts';
import {
  placementFields,
  tracedPerform,
} from '../../../../workers/runtime/traces/traced-perform.ts';
import { TestClock } from '../../../support/test-clock.ts';

const traceId = 'a'.repeat(32);
const parentSpanId = 'b'.repeat(16);
const assign = {
  placement: { sessionId: 'session-1', epoch: 1 },
  traceparent: `00-${traceId}-${parentSpanId}-01`,
} as Assign;

function start(order: Assign = assign) {
  const clock = new TestClock();
  const spans: FinishedSpan[] = [];
  const traceIds = new TraceIds();
  const recorded: string[] = [];
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<EndReason>();
  let listener: PerformanceListener | null = null;
  const tracer = { record: (span: FinishedSpan) => void spans.push(span), close: async () => {} };
  const perform = tracedPerform({ tracer, traceIds, clock }, (_assign, sessionListener) => {
    listener = sessionListener;
    return {
      started: started.promise,
      ended: ended.promise,
      release: async () => true,
      end: () => {},
      drop: () => {},
      close: async () => {},
    };
  });
  perform(order, {
    renewed: () => {},
    speechProgressed: () => {},
    record: ({ kind }) => void recorded.push(kind),
  });
  return {
    clock,
    spans,
    traceIds,
    recorded,
    started,
    ended,
    listener: listener!,
  };
}

/** Lets the reactions to settled promises run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a traced performance', () => {
  test('records joining, the first frame and each utterance below itself', async () => {
    const { clock, spans, recorded, started, ended, listener } = start();
    const begin = clock.now();
    clock.advance(100);
    listener.record({ kind: 'joined' });
    clock.advance(50);
    started.resolve();
    await settle();
    listener.record({ kind: 'speech_received', segment: 1 });
    clock.advance(20);
    listener.record({ kind: 'speech_started', segment: 1 });
    clock.advance(1_000);
    listener.record({ kind: 'speech_finished', segment: 1, positionSeconds: 1, interrupted: true });
    listener.record({ kind: 'speech_received', segment: 2 });
    clock.advance(30);
    ended.resolve('agent_left');
    await settle();

    const [join, firstFrame, firstUtterance, second, sessionSpan] = spans;
    expect(spans.map(({ name, startMs, endMs }) => [name, startMs - begin, endMs - begin])).toEqual(
      [
        ['join', 0, 100],
        ['first frame', 100, 150],
        ['utterance', 150, 1_170],
        ['utterance', 1_170, 1_200],
        ['performance', 0, 1_200],
      ],
    );
    expect(sessionSpan).toMatchObject({
      parentSpanId,
      attributes: { 'troupe.session.id': 'session-1', 'troupe.end_reason': 'agent_left' },
      error: undefined,
    });
    for (const part of [join, firstFrame, firstUtterance, second])
      expect(part).toMatchObject({ traceId, parentSpanId: sessionSpan?.spanId });
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(5);
    expect(firstUtterance?.events).toEqual([{ name: 'playback started', atMs: begin + 170 }]);
    expect(firstUtterance?.attributes).toMatchObject({ 'troupe.interrupted': true });
    expect(second?.attributes).toMatchObject({ 'troupe.unfinished': true });
    // The timeline gets the same events.
    expect(recorded).toHaveLength(5);
  });

  test.each([
    [new CannotPerform('no tracks'), 'returned'],
    [new Error('a bug'), 'worker_lost'],
  ])('records %s as its fault', async (error, reason) => {
    const { spans, ended } = start();
    ended.reject(error);
    await settle();

    expect(spans).toMatchObject([
      { name: 'performance', attributes: { 'troupe.end_reason': reason }, error: String(error) },
    ]);
  });

  test('gives its trace id to log lines until it ends', async () => {
    const { traceIds, ended } = start();
    expect(traceIds.of('session-1')).toBe(traceId);
    expect(placementFields(assign)).toEqual({ ...assign.placement, trace_id: traceId });

    ended.resolve('agent_left');
    await settle();

    expect(traceIds.of('session-1')).not.toBe(traceId);
  });

  test('records nothing for a control plane that traces nothing', async () => {
    const { traceparent: _, ...untraced } = assign;
    const { spans, recorded, listener, ended } = start(untraced);
    listener.record({ kind: 'joined' });
    ended.resolve('agent_left');
    await settle();

    expect(spans).toEqual([]);
    expect(recorded).toEqual(['joined']);
    expect(placementFields(untraced)).toEqual(assign.placement);
  });
});
