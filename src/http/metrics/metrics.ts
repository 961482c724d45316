import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { countBotrooms, type BotroomMetricParts } from './botroom-metrics.ts';
import { requireOperator, type Callers } from '../auth/api-key.ts';
import { gaugeFleet, type FleetMetricParts } from './fleet-metrics.ts';
import { isFromThisMachine } from '../auth/loopback.ts';
import type { RateLimits } from '../limits/rate-limit.ts';
import { countSessions, type SessionMetricParts } from './session-metrics.ts';

type MetricsParts = {
  callers: Callers;
  /** Local callers need no key. */
  trustsThisMachine: boolean;
} & SessionMetricParts &
  FleetMetricParts &
  BotroomMetricParts;

/** Serves `/metrics` to trusted local callers without a key, and to operator keys from any address. */
export function serveMetrics(app: FastifyInstance, parts: MetricsParts, limits: RateLimits): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  countRequests(app, registry);
  countSessions(app, registry, parts);
  const refreshFleet = gaugeFleet(registry, parts);
  const refreshBotrooms = countBotrooms(registry, parts);

  app.get('/metrics', { logLevel: 'warn', schema: { hide: true } }, async (request, reply) => {
    if (!parts.trustsThisMachine || !isFromThisMachine(request.raw)) {
      await requireOperator(request, parts.callers, limits);
    }
    await refreshFleet();
    refreshBotrooms();
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

function countRequests(app: FastifyInstance, registry: Registry): void {
  const requests = new Histogram({
    name: 'troupe_http_request_seconds',
    help: 'Duration of requests, from arrival to the last byte of the answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 8],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    const labels = { method: request.method, route, status: String(reply.statusCode) };
    requests.observe(labels, reply.elapsedTime / 1000);
  });
}
