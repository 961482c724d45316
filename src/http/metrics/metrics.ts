import type { FastifyInstance } from 'fastify';
import { once } from '#shared/once.ts';
import { collectDefaultMetrics, Histogram, Registry, type Metric } from 'prom-client';
import type { Relay } from '../../botrooms/relay.ts';
import type { CallEvents } from '../../calls/call-events.ts';
import type { Canary } from '../../sessions/canary/canary.ts';
import type { Services } from '../services.ts';
import { countSpending, timeAnswers } from './call-metrics.ts';
import { countBotrooms } from './botroom-metrics.ts';
import { requireOperator } from '../auth/api-key.ts';
import { gaugeCanary } from './canary-metrics.ts';
import { gaugeFleet, type MeasuredFleet } from './fleet-metrics.ts';
import { isFromThisMachine } from '../auth/loopback.ts';
import { measureOverflow, type MeasuredOverflow } from './overflow-metrics.ts';
import { readCounts } from './metric-counts.ts';
import { MetricSampler } from './metric-sampler.ts';
import { countSessions, type MeasuredEvents } from './session-metrics.ts';
import { timeStarts } from './start-metrics.ts';

type Measured = MeasuredEvents &
  MeasuredFleet & {
    callEvents: CallEvents;
    relay: Pick<Relay, 'size' | 'traffic'>;
    canary: Pick<Canary, 'current'>;
    overflow: MeasuredOverflow;
  };

/**
 * Serves `/metrics` to trusted local callers without a key, and to operator keys from any address.
 */
export function serveMetrics(app: FastifyInstance, services: Services): void {
  const { records, settings, clock, log } = services;
  const { registry, refresh } = collectMetrics(app, services);
  const sampler = new MetricSampler({
    async read() {
      await refresh();
      return readCounts(registry);
    },
    history: records.metricHistory,
    clock,
    log,
  });
  app.addHook('onClose', () => sampler.close());

  app.get('/metrics', { logLevel: 'warn', schema: { hide: true } }, async (request, reply) => {
    if (!settings.trustsThisMachine || !isFromThisMachine(request.raw)) {
      await requireOperator(request, services);
    }
    await refresh();
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/**
 * Shared by all servers of the process: its observers never end and would hold each closed server.
 */
const processRegistry = once(() => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
});

/** Call `refresh` before each read of the registry. */
export function collectMetrics(app: FastifyInstance, measured: Measured) {
  const registry = new Registry();
  for (const metric of processRegistry().getMetricsAsArray())
    registry.registerMetric(metric as unknown as Metric);
  countRequests(app, registry);
  countSessions(app, registry, measured);
  timeStarts(registry, measured);
  timeAnswers(registry, measured.callEvents);
  countSpending(registry, measured.callEvents);
  const refreshFleet = gaugeFleet(registry, measured);
  const refreshBotrooms = countBotrooms(registry, measured.relay);
  const refreshCanary = gaugeCanary(registry, measured.canary);
  const refreshOverflow = measureOverflow(registry, measured.overflow);
  const refresh = async () => {
    await refreshFleet();
    refreshBotrooms();
    refreshCanary();
    refreshOverflow();
  };
  return { registry, refresh };
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
