/*
 * Turns the events of sessions into spans. Every span is recorded when it is over, with ids derived
 * from the session: nothing is held for a running one, and the control plane that takes a session
 * over continues its trace.
 *
 *   request -> session -> slot, placement (-> the worker's spans), start, outage
 */
import { spanIdOf, toTraceparent, traceIdOf } from '#shared/tracing/trace-context.ts';
import type { TraceIds } from '#shared/tracing/trace-ids.ts';
import type { FinishedSpan } from '#shared/tracing/finished-span.ts';
import type { Tracer } from '#shared/tracing/tracer.ts';
import type { TimelineEntry } from '#protocol/timeline.ts';
import type { SessionRecord } from '../records/sessions/sessions.ts';
import type { SessionEvents } from './session-events.ts';

type SessionTracesParts = { events: SessionEvents; tracer: Tracer; traceIds: TraceIds };

type Ids = { sessionId: string; traceId: string };

/** End reasons that are a fault of the service. */
const FAULTS = new Set<string | null>(['worker_lost', 'never_started', 'service_stopped']);

export const requestSpanId = (traceId: string): string => spanIdOf(traceId, 'request');

const sessionSpanId = (sessionId: string): string => spanIdOf(sessionId, 'session');

const placementSpanId = (sessionId: string, epoch: number): string =>
  spanIdOf(sessionId, 'placement', epoch);

/** Parent of the spans of the worker that gets this placement. */
export const placementTraceparent = ({
  id,
  callId,
  epoch,
}: Pick<SessionRecord, 'id' | 'callId' | 'epoch'>): string =>
  toTraceparent({ traceId: traceIdOf(callId ?? id), spanId: placementSpanId(id, epoch) });

/** Records spans of the sessions that this control plane owns. */
export function traceSessions({ events, tracer, traceIds }: SessionTracesParts): void {
  events.on('session.timeline', ({ sessionId, callId, entry }) => {
    const traceId = traceIdOf(callId ?? sessionId);
    if (entry.kind !== 'ended') traceIds.keep(sessionId, traceId);
    const span = spanOf(entry, { sessionId, traceId });
    if (span) tracer.record(span);
  });
  events.on('session.started', ({ session }) => {
    tracer.record({
      ...within(idsOf(session)),
      name: session.kind === 'avatar' ? 'first frame' : 'agent joined',
      spanId: spanIdOf(session.id, 'start'),
      startMs: session.createdAt,
      endMs: session.startedAt ?? session.createdAt,
      attributes: { 'troupe.session.id': session.id },
    });
  });
  events.on('session.ended', ({ session }) => {
    tracer.record(sessionSpan(session));
    traceIds.forget(session.id);
  });
}

const idsOf = ({ id, callId }: SessionRecord): Ids => ({
  sessionId: id,
  traceId: traceIdOf(callId ?? id),
});

/** A part of the session. */
const within = ({ sessionId, traceId }: Ids) => ({
  traceId,
  parentSpanId: sessionSpanId(sessionId),
});

function sessionSpan(session: SessionRecord): FinishedSpan {
  const { id, kind, transport, avatarId, callId, endReason, createdAt, endedAt, pool } = session;
  const { traceId } = idsOf(session);
  return {
    traceId,
    spanId: sessionSpanId(id),
    parentSpanId: requestSpanId(traceId),
    name: kind === 'avatar' ? 'session' : 'conversation',
    startMs: createdAt,
    endMs: endedAt ?? createdAt,
    attributes: {
      'troupe.session.id': id,
      ...(callId !== null && { 'troupe.call.id': callId }),
      ...(pool !== null && { 'troupe.pool': pool }),
      'troupe.transport': transport,
      'troupe.avatar.id': avatarId,
      'troupe.end_reason': endReason ?? '',
    },
    error: FAULTS.has(endReason) ? (endReason ?? undefined) : undefined,
  };
}

/** Null: no span, or the worker records it. */
function spanOf(entry: TimelineEntry, ids: Ids): FinishedSpan | null {
  const { at, kind } = entry;
  const { sessionId } = ids;
  const attributes = { 'troupe.session.id': sessionId };
  switch (kind) {
    case 'queued':
      return {
        ...within(ids),
        name: 'wait for a slot',
        spanId: spanIdOf(sessionId, 'slot', at),
        startMs: at - entry.waitedMs,
        endMs: at,
        attributes,
      };
    case 'assigned':
    case 'declined':
    case 'unanswered':
      return {
        ...within(ids),
        name: 'placement',
        spanId: placementSpanId(sessionId, entry.epoch),
        startMs: at - entry.tookMs,
        endMs: at,
        attributes: {
          ...attributes,
          'troupe.epoch': entry.epoch,
          'troupe.worker.id': entry.workerId,
        },
        error: kind === 'assigned' ? undefined : kind,
      };
    case 'moved':
      return {
        ...within(ids),
        name: 'outage',
        spanId: spanIdOf(sessionId, 'outage', entry.epoch),
        startMs: at - entry.gapMs,
        endMs: at,
        attributes: {
          ...attributes,
          'troupe.epoch': entry.epoch,
          'troupe.cause': entry.cause,
          'troupe.worker.id': entry.toWorkerId,
        },
      };
    case 'created':
    case 'given_up':
    case 'first_frame':
    case 'joined':
    case 'agent_missing':
    case 'speech_received':
    case 'speech_refused':
    case 'speech_started':
    case 'speech_finished':
    case 'interrupted':
    case 'frames':
    case 'quality':
    case 'token_renewed':
    case 'lost':
    case 'ended':
      return null;
  }
}
