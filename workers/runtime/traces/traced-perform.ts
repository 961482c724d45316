import type { Clock } from '#shared/clock.ts';
import type { TraceIds } from '#shared/tracing/trace-ids.ts';
import type { Tracer } from '#shared/tracing/tracer.ts';
import { readTraceparent } from '#shared/tracing/trace-context.ts';
import type { Assign } from '#protocol/worker/gateway-messages.ts';
import { CannotPerform, type Perform, type Performance } from '../performance.ts';
import { SessionTrace } from './session-trace.ts';

type Tracing = { tracer: Tracer | null; traceIds: TraceIds | null; clock: Clock };

/** Performs and records spans, for sessions that the control plane traces. */
export const tracedPerform =
  ({ tracer, traceIds, clock }: Tracing, perform: Perform): Perform =>
  (assign, listener) => {
    const { placement } = assign;
    const parent = readTraceparent(assign.traceparent ?? '');
    if (!tracer || !parent) return perform(assign, listener);
    const startName = assign.callId === undefined ? 'first frame' : 'agent joined';
    const trace = new SessionTrace({ placement, startName, parent, tracer, clock });
    traceIds?.keep(placement.sessionId, parent.traceId);
    const performance = perform(assign, {
      ...listener,
      record: (event) => {
        trace.record(event);
        listener.record(event);
      },
    });
    void follow(performance, trace).then(() => traceIds?.forget(placement.sessionId));
    return performance;
  };

async function follow({ started, ended }: Performance, trace: SessionTrace): Promise<void> {
  started.then(
    () => trace.started(),
    () => {},
  );
  try {
    trace.end(await ended);
  } catch (error) {
    trace.end(error instanceof CannotPerform ? 'returned' : 'worker_lost', String(error));
  }
}

/** Fields of log lines about a placement. */
export function placementFields({ placement, traceparent = '' }: Assign): object {
  const parent = readTraceparent(traceparent);
  return { ...placement, ...(parent && { trace_id: parent.traceId }) };
}
