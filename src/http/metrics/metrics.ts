import type { FastifyInstance } from 'fastify';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { once } from '#shared/once.ts';
import { collectDefaultMetrics, Histogram, Registry, type Metric } from 'prom-client';
import type { MetricHistory } from '../../records/history/metric-history.ts';
import { timeAnswers, type CallMetricParts } from './call-metrics.ts';
import { countBotrooms, type BotroomMetricParts } from './botroom-metrics.ts';
import { requireOperator, type Callers } from '../auth/api-key.ts';
import { gaugeCanary, type CanaryMetricParts } from './canary-metrics.ts';
import { gaugeFleet, type FleetMetricParts } from './fleet-metrics.ts';
import { isFromThisMachine } from '../auth/loopback.ts';
import { measureOverflow, type OverflowMetricParts } from './overflow-metrics.ts';
import type { RateLimits } from '../limits/rate-limit.ts';
import { readCounts } from './metric-counts.ts';
import { MetricSampler } from './metric-sampler.ts';
import { countSessions, type SessionMetricParts } from './session-metrics.ts';
import { timeStarts } from './start-metrics.ts';

export type MetricsParts = SessionMetricParts &
  FleetMetricParts &
  CallMetricParts &
  BotroomMetricParts &
  CanaryMetricParts &
  OverflowMetricParts;

type ServedMetricsParts = MetricsParts & {
  callers: Callers;
  /** Local callers need no key. */
  trustsThisMachine: boolean;
  metricHistory: Pick<MetricHistory, 'add'>;
  clock: Clock;
  log: Log;
};

/** Serves `/metrics` to trusted local callers without a key, and to operator keys from any address. */
export function serveMetrics(
  app: FastifyInstance,
  parts: ServedMetricsParts,
  limits: RateLimits,
): void {
  const { registry, refresh } = collectMetrics(app, parts);
  const sampler = new MetricSampler({
    async read() {
      await refresh();
      return readCounts(registry);
    },
    history: parts.metricHistory,
    clock: parts.clock,
    log: parts.log,
  });
  app.addHook('onClose', () => sampler.close());

  app.get('/metrics', { logLevel: 'warn', schema: { hide: true } }, async (request, reply) => {
    if (!parts.trustsThisMachine || !isFromThisMachine(request.raw)) {
      await requireOperator(request, parts.callers, limits);
    }
    await refresh();
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/** Shared by all servers of the process: its observers never end and would hold each closed server. */
const processRegistry = once(() => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
});

/** Call `refresh` before each read of the registry. */
export function collectMetrics(app: FastifyInstance, parts: MetricsParts) {
  const registry = new Registry();
  for (const metric of processRegistry().getMetricsAsArray())
    registry.registerMetric(metric as unknown as Metric);
  countRequests(app, registry);
  countSessions(app, registry, parts);
  timeStarts(registry, parts);
  timeAnswers(registry, parts);
  const refreshFleet = gaugeFleet(registry, parts);
  const refreshBotrooms = countBotrooms(registry, parts);
  const refreshCanary = gaugeCanary(registry, parts);
  const refreshOverflow = measureOverflow(registry, parts);
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
