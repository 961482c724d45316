/* Records the request that created a session as the root of the session's trace. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance } from 'fastify';
import { readTraceparent, traceIdOf } from '#shared/tracing/trace-context.ts';
import type { Tracer } from '#shared/tracing/tracer.ts';
import type { Services } from '../services.ts';
import { requestSpanId } from '../../sessions/session-traces.ts';

type Answer = {
  name: string;
  startMs: number;
  endMs: number;
  status: number;
  traceparent: string | undefined;
};

/** One request. Its session may be announced before or after its answer is sent. */
type Request = { traceId: string | null; answer: Answer | null };

/** Requests that create no session are not recorded. */
export function traceRequests(
  app: FastifyInstance,
  { ownEvents, clock }: Services,
  tracer: Tracer,
): void {
  const requests = new AsyncLocalStorage<Request>();
  app.decorateRequest('traced', null);

  // After the body is parsed: the parser leaves the asynchronous context of earlier hooks.
  app.addHook('preHandler', (request, _reply, done) => {
    request.traced = { traceId: null, answer: null };
    requests.run(request.traced, done);
  });
  ownEvents.on('session.timeline', ({ sessionId, callId, entry }) => {
    const request = requests.getStore();
    if (entry.kind !== 'created' || !request) return;
    request.traceId = traceIdOf(callId ?? sessionId);
    record(request);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { traced, method, headers, routeOptions } = request;
    if (!traced) return;
    const endMs = clock.now();
    const { traceparent } = headers;
    traced.answer = {
      name: `${method} ${routeOptions.url}`,
      startMs: endMs - reply.elapsedTime,
      endMs,
      status: reply.statusCode,
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    };
    record(traced);
  });

  function record({ traceId, answer }: Request): void {
    if (traceId === null || answer === null) return;
    const { name, startMs, endMs, status, traceparent = '' } = answer;
    tracer.record({
      traceId,
      spanId: requestSpanId(traceId),
      name,
      isRequest: true,
      startMs,
      endMs,
      attributes: { 'http.response.status_code': status },
      link: readTraceparent(traceparent) ?? undefined,
    });
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null while nothing is traced. */
    traced: Request | null;
  }
}
