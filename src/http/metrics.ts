import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Fleet } from '../fleet/fleet.ts';
import type { SessionEvents } from '../sessions/session-events.ts';
import { requireOperator, type Callers } from './api-key.ts';
import { isFromThisMachine } from './loopback.ts';
import type { RateLimits } from './rate-limit.ts';

export type MetricsParts = {
  fleet: Pick<Fleet, 'counts'>;
  events: SessionEvents;
  callers: Callers;
};

/** Numbers for operators: to callers on this machine, and to operators' keys from anywhere. */
export function serveMetrics(
  app: FastifyInstance,
  { fleet, events, callers }: MetricsParts,
  limits: RateLimits,
): void {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const requests = new Histogram({
    name: 'troupe_http_request_seconds',
    help: 'How long requests took, from arrival to the last byte of the answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 8],
    registers,
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    const labels = { method: request.method, route, status: String(reply.statusCode) };
    requests.observe(labels, reply.elapsedTime / 1000);
  });

  const slots = new Gauge({
    name: 'troupe_fleet',
    help: 'Workers and their slots, by what they are.',
    labelNames: ['count'],
    registers,
  });

  const started = new Counter({
    name: 'troupe_sessions_started_total',
    help: 'Sessions whose face was in the room, since this process began.',
    registers,
  });
  const ended = new Counter({
    name: 'troupe_sessions_ended_total',
    help: 'Sessions that ended, by reason, since this process began.',
    labelNames: ['reason'],
    registers,
  });
  events.on('session.started', () => started.inc());
  events.on('session.ended', ({ session }) => ended.inc({ reason: session.endReason ?? '' }));

  app.get('/metrics', { logLevel: 'warn', schema: { hide: true } }, async (request, reply) => {
    if (!isFromThisMachine(request.raw.socket.remoteAddress, request.headers)) {
      await requireOperator(request, callers, limits);
    }
    for (const [count, value] of Object.entries(await fleet.counts())) slots.set({ count }, value);
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}
